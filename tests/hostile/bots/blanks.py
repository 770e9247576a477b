# Blank lines, and more blanks than needed: plays on.
from bot import *


def at_go(words):
    say("", "   ", " \t bestmove \t " + first_legal(words) + " \t ")


run(go=at_go)
