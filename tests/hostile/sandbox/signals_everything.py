# Sends signals to its parent and to all that it can name: plays on.
import signal

import inside
from bot import *


def go(words):
    for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
        for pid in [os.getppid(), 1, -1, *range(10, 40000)]:
            try:
                os.kill(pid, number)
                if pid not in (1, os.getppid()):
                    inside.tell("sent", number, pid)
            except OSError:
                pass
    play(words)


signal.signal(signal.SIGTERM, signal.SIG_IGN)
run(go=go)
