# A move without the end of its line, then silence: loses by timeout.
from bot import *


def at_go(words):
    write("bestmove " + first_legal(words))
    hold_still()


run(go=at_go)
