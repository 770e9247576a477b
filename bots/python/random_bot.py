#!/usr/bin/env python3
"""Plays a random legal move of any game: it picks one of those that `searchmoves` lists.

Standard library only, Python 3.9 or later. Run it with: nim-arena match bots/python/random_bot.py …
"""
import os
import random
import sys


def say(line):
    print(line, flush=True)  # unflushed lines never leave: the arena would wait in vain


def main():
    sys.stdin.reconfigure(errors="replace")  # do not fail on a byte that is not UTF-8
    chance = random.Random(0)
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "ugi":
            say("id name " + os.path.basename(sys.argv[0]))  # the name of its file
            say("id author the Nimarena authors")
            say("option name Seed type spin default 0 min 0 max 9223372036854775807")
            # A bot that prints this option gets the legal moves with every `go`.
            say("option name LegalMoves type check default true")
            say("ugiok")
        elif command == "isready":
            say("readyok")
        elif words[:4] == ["setoption", "name", "Seed", "value"]:
            chance.seed(" ".join(words[4:]))
        elif command == "go":
            moves = words[words.index("searchmoves") + 1 :] if "searchmoves" in words else []
            say("bestmove " + (chance.choice(moves) if moves else "0000"))
        elif command == "quit":
            break


main()
