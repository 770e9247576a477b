# Is ended by SIGSEGV in place of a handshake: loses by startup.
from bot import *


def at_ugi(words):
    die(signal.SIGSEGV)


run(ugi=at_ugi)
