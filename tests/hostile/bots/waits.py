# Sleeps for ARGUMENT ms before each move, and reports how long that took: plays on.
import time

from bot import *


def go(words):
    begin = time.monotonic()
    time.sleep(int(ARGUMENT) / 1000)
    play(words)
    write(f"took {time.monotonic() - begin:.6f}\n", 2)


run(go=go)
