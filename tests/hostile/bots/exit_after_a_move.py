# Exits at once after a move, which counts; at the next one it loses by disconnected.
from bot import *


def at_go(words):
    play(words)
    os._exit(0)


run(go=at_go)
