# Writes its moves byte by byte: plays on.
from bot import *


def at_go(words):
    for byte in "bestmove " + first_legal(words) + "\n":
        write(byte)


run(go=at_go)
