# Never answers `go`; tells a FIFO, if one is named: loses by timeout.
from bot import *


def at_go(words):
    if ARGUMENT:
        tell_fifo()
    hold_still()


run(go=at_go)
