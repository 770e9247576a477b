# Exits, and its child writes into the pipe for ever: loses by disconnected or protocol.
from bot import *


def at_go(words):
    if os.fork() == 0:
        repeat(b"info\n" * 1000)
    os._exit(3)


run(go=at_go)
