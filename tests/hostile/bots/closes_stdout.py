# Closes its output and lives on: loses by disconnected.
from bot import *


def at_go(words):
    os.close(1)
    hold_still()


run(go=at_go)
