# Says more after its move: plays on.
from bot import *


def at_go(words):
    say("bestmove " + first_legal(words) + " ponder 2=1 and more")


run(go=at_go)
