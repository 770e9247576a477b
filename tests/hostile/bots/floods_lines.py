# Writes lines for ever: loses by protocol.
from bot import *


def at_go(words):
    while True:
        write(b"info\n" * 10000)


run(go=at_go)
