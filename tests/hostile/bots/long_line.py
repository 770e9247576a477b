# A line longer than allowed, then a move: loses by protocol.
from bot import *


def at_go(words):
    write(b"info string " + b"x" * (1 << 20) + b"\n")
    play(words)


run(go=at_go)
