# Answers ARGUMENT, whatever it is asked; as `bestmove` and no legal move: loses by illegal-move.
from bot import *


def at_go(words):
    say(ARGUMENT)


run(go=at_go)
