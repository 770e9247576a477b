# Moves, and then writes for ever: loses by protocol.
from bot import *


def at_go(words):
    play(words)
    repeat(b"info string x\n" * 5000)


run(go=at_go)
