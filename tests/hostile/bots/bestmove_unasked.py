# Names moves while nobody asks, in the handshake and between games: plays on.
from bot import *


def at_ugi(words):
    say("bestmove 1=0")
    introduce()


def at_isready(words):
    say("bestmove 99=99", "readyok")


run(ugi=at_ugi, isready=at_isready, uginewgame=lambda words: say("bestmove 1=1"))
