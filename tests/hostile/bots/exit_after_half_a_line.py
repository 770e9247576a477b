# Exits after a move without the end of its line: loses by disconnected.
from bot import *


def at_go(words):
    write("bestmove " + first_legal(words))
    os._exit(0)


run(go=at_go)
