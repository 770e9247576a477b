#!/usr/bin/env python3
"""Plays Nim by a strategy of its own: yours, once you have changed choose_move() below.

Standard library only, Python 3.9 or later. It reads positions of `nim:` heaps (numbers only),
normal and misere, follows the moves itself, and reads lines while choose_move() thinks.
"""
import collections
import operator
import os
import random
import sys
import threading
import time


# ---------------------------------------------------------------------------------------------
# Your idea goes here.
#
# `heaps` is a list such as [3, 4, 5]. Choose a heap and how many stones to leave in it:
# return (1, 0) to clear the 4 (heaps count from 0 here). There is at least one stone.
# The player who takes the last stone wins; under misere (`misere` is True) that player loses.
# Choose at random by `chance`, so that a game can be repeated. If you think for long, ask
# time_is_up() now and then, and return what you have once it says True.


def choose_move(heaps, misere, chance):
    """Leaves two equal heaps if it can, else takes one stone from any heap."""
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


# ---- positions and moves ----


def read_position(text):
    """'nim:3,4+5 misere' -> ([3, 4, 5], True)."""
    words = text.split()
    if not 1 <= len(words) <= 2 or words[1:] not in ([], ["normal"], ["misere"]):
        raise ValueError(f"expected a position such as nim:3,4,5 or nim:3,4,5 misere, read {cut(text)!r}")
    heaps = []
    for component in words[0].split("+"):
        ruleset, colon, numbers = component.rpartition(":")
        if colon and ruleset != "nim":
            raise ValueError(f"I play nim only, read {cut(component)!r}")
        heaps += [read_number(number) for number in numbers.split(",")]
    return heaps, words[1:] == ["misere"]


def read_number(text):
    if not (text.isascii() and text.isdigit()) or int(text) > 2**63 - 1:
        raise ValueError(f"expected a number, read {cut(text)!r}")
    return int(text)


def cut(text):
    return text[:60]  # an answer must fit a line, too


def apply_move(heaps, move):
    """'2=1': heap number 2, counted from 1, becomes 1."""
    index, equals, left = move.partition("=")
    heap = read_number(index) - 1
    if not equals or not 0 <= heap < len(heaps) or not read_number(left) < heaps[heap]:
        position = "nim:" + ",".join(map(str, heaps))
        raise ValueError(f"illegal move {cut(move)!r} in {cut(position)}")
    heaps[heap] = read_number(left)


def position_after(words):
    """The words of a `position` line -> (heaps, misere, number of moves made)."""
    moves = words.index("moves") if "moves" in words else len(words)
    if words[1:2] == ["startpos"]:
        heaps, misere = [1, 3, 5, 7], False
    elif words[1:2] == ["fen"]:
        heaps, misere = read_position(" ".join(words[2:moves]))
    else:
        raise ValueError("expected position startpos or position fen")
    for move in words[moves + 1 :]:
        apply_move(heaps, move)
    return heaps, misere, len(words[moves + 1 :])


# ---- time, in seconds ----

stopped = threading.Event()
deadline = 0.0


def time_is_up():
    return stopped.is_set() or time.monotonic() >= deadline


def seconds_for(words, player):
    """How long to think after this `go`; `player` is "p1" or "p2"."""
    limits = dict(zip(words, words[1:]))
    if "infinite" in words:
        return float("inf")
    try:
        if player + "time" in limits:
            left, added = int(limits[player + "time"]), int(limits.get(player + "inc", 0))
            return min(left / 2, left / 20 + added / 2) / 1000
        return 0.8 * int(limits.get("movetime", 1000)) / 1000
    except ValueError:
        return 0.8


# ---- the conversation ----


def say(line):
    print(line, flush=True)  # unflushed lines never leave: the arena would wait in vain


class Bot:
    def __init__(self):
        self.heaps, self.misere, self.moves_made = [1, 3, 5, 7], False, 0
        self.chance = random.Random(0)
        self.lock = threading.Condition()  # held while a line is carried out
        self.thinking = False  # whether another thread will print `bestmove`
        self.waiting = collections.deque()  # lines that came meanwhile
        self.input_ended = False

    def run(self):
        sys.stdin.reconfigure(errors="replace")  # do not fail on a byte that is not UTF-8
        for line in sys.stdin:
            with self.lock:
                self.hear(line.split())
        with self.lock:
            self.input_ended = True
            if deadline == float("inf"):
                stopped.set()
            while self.thinking:
                self.lock.wait()

    def hear(self, words):
        command = words[0] if words else ""
        if command == "quit":
            os._exit(0)  # whatever the other thread does
        elif command == "isready":
            say("readyok")
        elif command == "stop":
            stopped.set()
        elif self.thinking:
            self.waiting.append(words)
        else:
            self.carry_out(command, words)

    def carry_out(self, command, words):
        try:
            if command == "ugi":
                say("id name " + os.path.basename(sys.argv[0]))  # the name of its file
                say("id author the Nimarena authors")
                say("option name Seed type spin default 0 min 0 max 9223372036854775807")
                say("ugiok")
            elif words[:4] == ["setoption", "name", "Seed", "value"]:
                self.chance.seed(" ".join(words[4:]))
            elif command == "position":
                self.heaps, self.misere, self.moves_made = position_after(words)
            elif command == "moves":
                after = list(self.heaps)
                for move in words[1:]:
                    apply_move(after, move)
                self.heaps, self.moves_made = after, self.moves_made + len(words[1:])
            elif command == "go":
                self.start_thinking(words)
        except ValueError as error:
            say(f"info string error {error}")

    def start_thinking(self, words):
        global deadline
        limits = words.index("searchmoves") if "searchmoves" in words else len(words)
        seconds = seconds_for(words[:limits], "p1" if self.moves_made % 2 == 0 else "p2")
        deadline = time.monotonic() + seconds
        stopped.clear()
        if seconds == float("inf") and self.input_ended:
            stopped.set()
        self.thinking = True
        threading.Thread(target=self.think, args=(words[limits + 1 :],)).start()

    def think(self, allowed):
        try:
            move = self.best_move(allowed)
        except BaseException:  # an error of choose_move() ends the bot, not only this thread
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        if deadline == float("inf"):
            stopped.wait()
        with self.lock:
            say("bestmove " + move)
            self.thinking = False
            while self.waiting and not self.thinking:
                words = self.waiting.popleft()
                self.carry_out(words[0] if words else "", words)
            self.lock.notify()

    def best_move(self, allowed):
        """The chosen move, or one that `searchmoves` lists if it does not list this one."""
        if not any(self.heaps):
            return "0000"
        choice = choose_move(list(self.heaps), self.misere, self.chance)
        try:
            heap, left = map(operator.index, choice)
        except (TypeError, ValueError):
            raise TypeError(f"choose_move() returned {choice!r}, expected two whole numbers: the heap, and "
                            "the stones to leave in it (in Python, 6 // 2 is whole and 6 / 2 is not)") from None
        move = f"{heap + 1}={left}"
        return move if move in allowed or not allowed else allowed[0]


if __name__ == "__main__":
    Bot().run()
