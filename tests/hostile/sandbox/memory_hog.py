# Fills memory without end: loses by disconnected.
import inside
from bot import *

MIB = 1 << 20


def go(words):
    kept = []
    for taken in range(300):  # MiB; the sandbox has 128
        kept.append(bytearray(b"x") * MIB)
        if taken % 10 == 0:
            inside.tell("took", taken)
    play(words)


run(go=go)
