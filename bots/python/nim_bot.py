#!/usr/bin/env python3
"""Plays Nim by a strategy of its own: yours, once you have changed choose_move() below.

Standard library only, Python 3.9 or later. Run it with: nim-arena match bots/python/nim_bot.py …
It reads positions of `nim:` heaps (numbers only), normal and misere, and follows the moves itself.
"""
import os
import random
import sys


# ---------------------------------------------------------------------------------------------
# Your idea goes here.
#
# `heaps` is a list such as [3, 4, 5]. Choose a heap and how many stones to leave in it:
# return (1, 0) to clear the 4 (heaps count from 0 here). There is at least one stone.
# The player who takes the last stone wins; under misere (`misere` is True) that player loses.


def choose_move(heaps, misere, chance):
    """Leaves two equal heaps where it can, and takes one stone from any heap where it cannot."""
    standing = [i for i, stones in enumerate(heaps) if stones > 0]
    if len(standing) == 1:
        only = standing[0]
        return only, 1 if misere and heaps[only] > 1 else 0
    if len(standing) == 2:
        small, large = sorted(standing, key=lambda i: heaps[i])
        if heaps[small] < heaps[large]:
            return large, heaps[small]
    if len(standing) == 3:
        for odd_one in standing:
            first, second = (heaps[i] for i in standing if i != odd_one)
            if first == second:
                return odd_one, 0
    heap = chance.choice(standing)
    return heap, heaps[heap] - 1


# ---------------------------------------------------------------------------------------------
# From here on: the protocol, which you need not change.


def read_position(text):
    """'nim:3,4+5 misere' -> ([3, 4, 5], True)."""
    words = text.split()
    if not 1 <= len(words) <= 2 or words[1:] not in ([], ["normal"], ["misere"]):
        raise ValueError(f"expected a position such as nim:3,4,5 or nim:3,4,5 misere, read {text!r}")
    heaps = []
    for component in words[0].split("+"):
        ruleset, colon, numbers = component.rpartition(":")
        if colon and ruleset != "nim":
            raise ValueError(f"I play nim only, read {component!r}")
        heaps += [read_number(number) for number in numbers.split(",")]
    return heaps, words[1:] == ["misere"]


def read_number(text):
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected a number, read {text!r}")
    return int(text)


def apply_move(heaps, move):
    """'2=1': heap number 2, counted from 1, becomes 1."""
    index, equals, left = move.partition("=")
    heap = read_number(index) - 1
    if not equals or not 0 <= heap < len(heaps) or not read_number(left) < heaps[heap]:
        raise ValueError(f"illegal move {move!r} in nim:{','.join(map(str, heaps))}")
    heaps[heap] = read_number(left)


def position_after(words):
    """The words of a `position` line -> (heaps, misere)."""
    moves = words.index("moves") if "moves" in words else len(words)
    if words[1:2] == ["startpos"]:
        heaps, misere = [1, 3, 5, 7], False
    elif words[1:2] == ["fen"]:
        heaps, misere = read_position(" ".join(words[2:moves]))
    else:
        raise ValueError("expected position startpos or position fen")
    for move in words[moves + 1 :]:
        apply_move(heaps, move)
    return heaps, misere


def best_move(heaps, misere, chance):
    if not any(heaps):
        return "0000"
    heap, left = choose_move(list(heaps), misere, chance)
    return f"{heap + 1}={left}"


def say(line):
    print(line, flush=True)  # unflushed lines never leave: the arena would wait in vain


def main():
    sys.stdin.reconfigure(errors="replace")  # do not fail on a byte that is not UTF-8
    chance = random.Random(0)
    heaps, misere = [1, 3, 5, 7], False
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        try:
            if command == "ugi":
                say("id name " + os.path.basename(sys.argv[0]))  # the name of its file
                say("id author the Nimarena authors")
                say("option name Seed type spin default 0 min 0 max 9223372036854775807")
                say("ugiok")
            elif command == "isready":
                say("readyok")
            elif words[:4] == ["setoption", "name", "Seed", "value"]:
                chance.seed(" ".join(words[4:]))
            elif command == "position":
                heaps, misere = position_after(words)
            elif command == "moves":
                after = list(heaps)
                for move in words[1:]:
                    apply_move(after, move)
                heaps = after
            elif command == "go":
                say("bestmove " + best_move(heaps, misere, chance))
            elif command == "quit":
                break
        except ValueError as error:
            say(f"info string error {error}")


if __name__ == "__main__":
    main()
