# Kills its process group: loses by disconnected.
import signal

import inside
from bot import *


def go(words):
    inside.tell("group", os.getpgrp())
    os.kill(0, signal.SIGKILL)


run(go=go)
