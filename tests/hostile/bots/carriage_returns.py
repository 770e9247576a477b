# Ends its lines as on Windows: plays on.
from bot import *


def at_go(words):
    write("info depth 1\r\nbestmove " + first_legal(words) + "\r\n")


run(go=at_go)
