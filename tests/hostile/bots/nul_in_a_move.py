# A zero byte in its move: loses by illegal-move.
from bot import *


def at_go(words):
    write("bestmove " + first_legal(words) + "\0\n")


run(go=at_go)
