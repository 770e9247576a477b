# As many lines as are allowed, then a move: plays on.
from bot import *


def at_go(words):
    write(b"info depth 1\n" * 90000)
    play(words)


run(go=at_go)
