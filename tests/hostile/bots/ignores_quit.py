# Does not end at `quit`: plays on.
from bot import *


def at_quit(words):
    hold_still()


run(quit=at_quit)
