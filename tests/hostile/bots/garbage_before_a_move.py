# All bytes there are, and lines that only look like a move, then one: plays on.
from bot import *


def at_go(words):
    write(bytes(range(256)) * 16 + b"\nbestmoves 9=9\nBESTMOVE 9=9\ninfo bestmove 9=9\n\0\n")
    play(words)


run(go=at_go)
