# Moves ARGUMENT seconds later: loses by timeout.
from bot import *


def at_go(words):
    time.sleep(float(ARGUMENT))
    play(words)


run(go=at_go)
