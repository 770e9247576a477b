# Has options without end: loses by startup.
from bot import *


def at_ugi(words):
    while True:
        write(b"option name X type string\n" * 1000)


run(ugi=at_ugi)
