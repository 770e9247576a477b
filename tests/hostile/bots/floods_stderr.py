# Writes ARGUMENT MiB to stderr, then a move: plays on.
from bot import *


def at_go(words):
    for _ in range(int(ARGUMENT)):
        write(b"grumble " * (1 << 17), to=2)
    play(words)


run(go=at_go)
