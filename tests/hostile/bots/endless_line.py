# Writes a line that never ends: loses by protocol.
from bot import *


def at_go(words):
    while True:
        write(b"info string " + b"x" * 65536)


run(go=at_go)
