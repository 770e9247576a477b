# Never shakes hands: loses by startup.
from bot import *


def at_ugi(words):
    hold_still()


run(ugi=at_ugi)
