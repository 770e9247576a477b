# Computes for ARGUMENT ms before each move: plays on.
import time

from bot import *


def go(words):
    end = time.process_time() + int(ARGUMENT) / 1000
    while time.process_time() < end:
        pass
    play(words)


run(go=go)
