# Thinks for ever, and says so every 10 ms: loses by timeout.
from bot import *


def at_go(words):
    while True:
        say("info string still thinking")
        time.sleep(0.01)


run(go=at_go)
