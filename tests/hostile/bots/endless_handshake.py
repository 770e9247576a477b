# Never comes to the end of its handshake: loses by startup.
from bot import *


def at_ugi(words):
    while True:
        say("info string loading")
        time.sleep(0.01)


run(ugi=at_ugi)
