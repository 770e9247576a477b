# Reads nothing from the first game on, so that its pipe fills up: loses by timeout.
from bot import *


def at_isready(words):
    say("readyok")
    hold_still()


run(isready=at_isready)
