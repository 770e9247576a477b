# Exits in place of a move: loses by disconnected.
from bot import *


def at_go(words):
    os._exit(5)


run(go=at_go)
