# Exits in place of a handshake: loses by startup.
from bot import *


def at_ugi(words):
    write("no licence found\n", to=2)
    os._exit(9)


run(ugi=at_ugi)
