# A name as long as a line may be: plays on.
from bot import *


def at_ugi(words):
    introduce(b"N" * ((1 << 20) - 10))


run(ugi=at_ugi)
