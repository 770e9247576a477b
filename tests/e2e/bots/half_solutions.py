#!/usr/bin/env python3
"""Bots that solve Nim, or nearly so: python3 half_solutions.py KIND.

KIND is a function of the table below: heaps and convention in, heap (from 0) and stones left out.
"""
import os
import sys
import time

KINDS = {}
chance = None  # random.Random, of those that draw


def kind(function):
    KINDS[function.__name__] = function
    return function


def xor(heaps):
    total = 0
    for stones in heaps:
        total ^= stones
    return total


def any_move(heaps):
    """One stone from the last heap that has some."""
    heap = max(i for i, stones in enumerate(heaps) if stones)
    return heap, heaps[heap] - 1


def normal_move(heaps):
    total = xor(heaps)
    for heap, stones in enumerate(heaps):
        if stones ^ total < stones:
            return heap, stones ^ total
    return any_move(heaps)


@kind
def right(heaps, misere):
    large = [i for i, stones in enumerate(heaps) if stones > 1]
    if misere and len(large) == 1:
        ones = sum(1 for stones in heaps if stones == 1)
        return large[0], 1 - ones % 2
    if misere and not large:
        return any_move(heaps)
    return normal_move(heaps)


@kind
def not_misere(heaps, misere):
    return normal_move(heaps)


@kind
def three_bits(heaps, misere):
    """Looks at the last three bits of each heap."""
    heap, left = normal_move([stones & 7 for stones in heaps]) if any(
        stones & 7 for stones in heaps) else any_move(heaps)
    return (heap, left) if left < heaps[heap] else any_move(heaps)


@kind
def equal_heaps(heaps, misere):
    """Clears the largest heap where two heaps are equal."""
    left = [stones for stones in heaps if stones]
    if len(set(left)) < len(left):
        return heaps.index(max(heaps)), 0
    return normal_move(heaps)


@kind
def greedy(heaps, misere):
    return heaps.index(max(heaps)), 0


@kind
def at_random(heaps, misere):
    heap = chance.choice([i for i, stones in enumerate(heaps) if stones])
    return heap, chance.randrange(heaps[heap])


@kind
def nearly(heaps, misere):
    """Wrong in one position of the family."""
    return (0, 1) if heaps == [3, 1, 2, 3] else normal_move(heaps)


@kind
def illegal_where_the_first_is_empty(heaps, misere):
    return (0, 0) if heaps[0] == 0 else normal_move(heaps)


@kind
def refuses_four_heaps(heaps, misere):
    if len(heaps) > 3:
        raise ValueError("I count to three")
    return normal_move(heaps)


@kind
def dies_of_seven(heaps, misere):
    if heaps == [7, 7]:
        raise IndexError("list index out of range")
    return normal_move(heaps)


@kind
def ends_after_seven(heaps, misere):
    """Its answers are right."""
    return right(heaps, misere)


@kind
def always_dies(heaps, misere):
    raise IndexError("list index out of range")


@kind
def ends_by_chance(heaps, misere):
    if chance.random() < 0.5:
        sys.exit(4)
    return right(heaps, misere)


@kind
def hangs_at_five(heaps, misere):
    while heaps == [5, 5]:
        time.sleep(1000)
    return normal_move(heaps)


@kind
def remembers(heaps, misere):
    """Depends on what it was asked before."""
    remembers.asked = getattr(remembers, "asked", 0) + 1
    if xor(heaps) == 0 and remembers.asked % 2:
        heap = next(i for i, stones in enumerate(heaps) if stones)
        return heap, heaps[heap] - 1
    return normal_move(heaps)


@kind
def forgets_moves(heaps, misere):
    """Right in the position behind `fen`, whatever has been played since."""
    return right(heaps, misere)


def read_position(words):
    if words[1] == "startpos":
        words = ["position", "fen", "nim:1,3,5,7", *words[2:]]
    heaps = []
    for component in words[2].split("+"):
        ruleset, _, numbers = component.rpartition(":")
        if ruleset not in ("", "nim"):
            raise ValueError("I play nim only")
        heaps += [int(number) for number in numbers.split(",")]
    for move in words[words.index("moves") + 1:] if "moves" in words else []:
        heap, left = move.split("=")
        heaps[int(heap) - 1] = int(left)
    return heaps, "misere" in words


def say(line):
    os.write(1, line.encode() + b"\n")


def main():
    global chance
    choose = KINDS[sys.argv[1]]
    if choose in (at_random, ends_by_chance):
        import random  # a quarter of the time in which the others start
        chance = random.Random(0)
    heaps, misere = [1, 3, 5, 7], False
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            say("id name " + sys.argv[1])
            say("ugiok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif chance and words[:3] == ["setoption", "name", "Seed"]:
            chance.seed(words[-1])
        elif words[:1] == ["position"]:
            try:
                if choose is forgets_moves:
                    words = " ".join(words).partition(" moves")[0].split()
                heaps, misere = read_position(words)
                if choose is refuses_four_heaps:
                    choose(heaps, misere)
            except ValueError as error:
                say(f"info string error {error}")
        elif words[:1] == ["go"] and not any(heaps):
            say("bestmove 0000")
        elif words[:1] == ["go"]:
            heap, left = choose(heaps, misere) if choose is not refuses_four_heaps else normal_move(
                heaps)
            say(f"bestmove {heap + 1}={left}")
            if choose is ends_after_seven and 7 in heaps:
                sys.exit("seven is enough")
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
