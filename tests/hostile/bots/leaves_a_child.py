# Exits, and its child keeps the pipes open: loses by disconnected.
from bot import *


def at_go(words):
    if os.fork() == 0:
        hold_still()
    os._exit(3)


run(go=at_go)
