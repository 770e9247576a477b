# Is never ready: loses by startup.
from bot import *


def at_isready(words):
    hold_still()


run(isready=at_isready)
