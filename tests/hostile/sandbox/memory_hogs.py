# Fills memory by its children, each with little: plays on.
import signal

import inside
from bot import *

MIB = 1 << 20


def go(words):
    children = []
    for _ in range(10):
        children.append(os.fork())
        if children[-1] == 0:
            kept = bytearray(b"x") * (30 * MIB)
            inside.tell("kept", len(kept))
            hold_still()
    # Those that came too late are killed by the kernel, the others stay.
    inside.tell("killed", os.WTERMSIG(os.wait()[1]))
    for pid in children:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except OSError:  # the one that was killed
            pass
    play(words)


run(go=go)
