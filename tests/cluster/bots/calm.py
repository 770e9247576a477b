"""Takes ARGUMENT milliseconds for a move, and chooses it by its Seed and the legal moves alone."""
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "hostile" / "bots"))

from bot import ARGUMENT, run, say

seed = ""


def take_option(words):
    global seed
    if words[2] == "Seed":
        seed = words[4]


def introduce(words):
    say("id name Calm", "option name LegalMoves type check default false",
        "option name Seed type spin default 0 min 0 max 9007199254740991", "ugiok")


def play(words):
    moves = words[words.index("searchmoves") + 1:]
    time.sleep(int(ARGUMENT) / 1000)
    say("bestmove " + random.Random(f"{seed} {moves}").choice(moves))


run(ugi=introduce, setoption=take_option, go=play)
