# Is ended by the signal ARGUMENT: loses by disconnected.
import signal

from bot import *


def at_go(words):
    write("about to crash\n", to=2)
    die(signal.Signals[ARGUMENT])


run(go=at_go)
