# Exits in the middle of a move: loses by disconnected.
from bot import *


def at_go(words):
    write("info depth 1\nbestmove " + first_legal(words)[:2])
    os._exit(6)


run(go=at_go)
