# Answers twice: plays on, by the first answer.
from bot import *


def at_go(words):
    say("bestmove " + first_legal(words), "bestmove 99=99")


run(go=at_go)
