# Moves once, and then closes its input: loses by disconnected.
from bot import *


def at_go(words):
    os.close(0)
    play(words)
    hold_still()


run(go=at_go)
