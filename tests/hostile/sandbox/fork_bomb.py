# Forks as long as it can, and so does each child: plays on.
import inside
from bot import *


def explode():
    """The number of children, which all do the same."""
    children = 0
    while True:
        try:
            if os.fork() == 0:
                explode()
                hold_still()
        except OSError:
            return children
        children += 1


def go(words):
    inside.tell("forked", explode())
    play(words)


run(go=go)
