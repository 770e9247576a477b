# Only the process that creates the file ARGUMENT starts, and it crashes: loses by startup.
from bot import *


def at_ugi(words):
    try:
        os.close(os.open(ARGUMENT, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        os._exit(1)
    introduce()


run(ugi=at_ugi, go=lambda words: os._exit(5))
