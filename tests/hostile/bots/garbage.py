# Answers with all bytes there are, and with what only looks like a move: loses by timeout.
from bot import *


def at_go(words):
    write(bytes(range(256)) * 16 + b"\nbestmoves 1=0\nBESTMOVE 1=0\ninfo bestmove 1=0\n\0\n")
    hold_still()


run(go=at_go)
