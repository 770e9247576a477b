# Says `bestmove` and names no move: loses by protocol.
from bot import *


def at_go(words):
    say("bestmove \t ")


run(go=at_go)
