# Writes 1 GB, then a move: loses by protocol.
from bot import *


def at_go(words):
    for _ in range(1 << 14):
        write(b"info string " + b"x" * 65523 + b"\n")
    play(words)


run(go=at_go)
