#!/usr/bin/env python3
"""Plays any game: it picks one of the legal moves that the arena lists after `searchmoves`.

Standard library only, Python 3.9 or later. As it is, it picks at random: change choose_move().
It must choose at once; nim_bot.py shows how to read lines while thinking.
"""
import os
import random
import sys


# ---------------------------------------------------------------------------------------------
# Your idea goes here.
#
# `position` is a text such as 'kayles:3,4+nim:5 moves 1=2': where the game began, and the moves
# since. `moves` are the legal ones: '1=2' makes heap 1 a heap of 2, '1=1,1' splits it into two.
# Return one of them; there is at least one.


def choose_move(position, moves, chance):
    return chance.choice(moves)


# ---------------------------------------------------------------------------------------------
# From here on: the protocol, which you need not change.


def say(line):
    print(line, flush=True)  # unflushed lines never leave: the arena would wait in vain


def main():
    sys.stdin.reconfigure(errors="replace")  # do not fail on a byte that is not UTF-8
    chance = random.Random(0)
    position = "nim:1,3,5,7"
    pending = ""  # the answer to `go infinite`, which is not due before `stop`
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
        elif command == "position":
            position = " ".join(words[2:] if words[1:2] == ["fen"] else ["nim:1,3,5,7", *words[2:]])
        elif command == "go":
            moves = words[words.index("searchmoves") + 1 :] if "searchmoves" in words else []
            answer = "bestmove " + (choose_move(position, moves, chance) if moves else "0000")
            if "infinite" in words:
                pending = answer
            else:
                say(answer)
        elif command == "stop" and pending:
            say(pending)
            pending = ""
        elif command == "quit":
            return
    if pending:
        say(pending)


main()
