# Moves once the arena says more: loses by timeout.
from bot import *


def at_go(words):
    sys.stdin.readline()
    play(words)


run(go=at_go)
