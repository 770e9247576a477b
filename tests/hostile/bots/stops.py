# Stops itself as by Ctrl-Z: loses by timeout.
from bot import *


def at_go(words):
    os.kill(os.getpid(), signal.SIGSTOP)


run(go=at_go)
