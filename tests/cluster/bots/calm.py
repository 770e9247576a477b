"""Chooses a move by its Seed and the legal moves alone, and plays it when the socket ARGUMENT allows."""
import pathlib
import random
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "hostile" / "bots"))

from bot import ARGUMENT, run, say

seed = ""
pace = socket.socket(socket.AF_UNIX)
pace.connect(ARGUMENT)


def take_option(words):
    global seed
    if words[2] == "Seed":
        seed = words[4]


def introduce(words):
    say("id name Calm", "option name LegalMoves type check default false",
        "option name Seed type spin default 0 min 0 max 9007199254740991", "ugiok")


def play(words):
    moves = words[words.index("searchmoves") + 1:]
    pace.sendall(b"?")
    pace.recv(1)
    say("bestmove " + random.Random(f"{seed} {moves}").choice(moves))


run(ugi=introduce, setoption=take_option, go=play)
