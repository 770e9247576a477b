#!/usr/bin/env python3
"""Bots to be checked: python3 checked.py KIND. All play nim, each with one mistake of its process.

Mistakes in what a bot says are those of the scripted bots of tests/arena/check.
"""
import os
import sys


class Sound:
    heaps = [1, 3, 5, 7]
    pending = None  # the answer to `go infinite`

    def say(self, *lines):
        os.write(1, "".join(line + "\n" for line in lines).encode())

    def some_move(self):
        return next((f"{heap}={stones - 1}" for heap, stones in enumerate(self.heaps, 1) if stones > 0), "0000")

    # ---- at each command; `words` is the line ----

    def ugi(self, words):
        self.say("id name Checked", "ugiok")

    def isready(self, words):
        self.say("readyok")

    def position(self, words):
        try:
            heaps = [1, 3, 5, 7]
            if words[1] == "fen":
                parts = [part.rpartition(":") for part in words[2].split("+")]
                if any(ruleset != "nim" for ruleset, _, _ in parts):
                    raise ValueError("not nim")
                heaps = [int(number) for _, _, numbers in parts for number in numbers.split(",")]
            for move in words[words.index("moves") + 1:] if "moves" in words else []:
                heap, left = move.split("=")
                heaps[int(heap) - 1] = int(left)
            self.heaps = heaps
        except (IndexError, ValueError):
            self.say("info string error cannot read this")

    def moves(self, words):
        for move in words[1:]:
            heap, left = move.split("=")
            self.heaps[int(heap) - 1] = int(left)

    def go(self, words):
        move = words[words.index("searchmoves") + 1] if "searchmoves" in words else self.some_move()
        if "infinite" in words:
            self.pending = move
        else:
            self.say("bestmove " + move)

    def stop(self, words):
        if self.pending:
            self.say("bestmove " + self.pending)
        self.pending = None

    def quit(self, words):
        sys.exit()


# ---- one mistake each ----

class leaves_at_once(Sound):
    def ugi(self, words):
        os.write(2, b"no licence found\n")
        os._exit(9)


class ignores_quit(Sound):
    def quit(self, words):
        pass


def main():
    bot = {kind.__name__: kind for kind in [Sound, *Sound.__subclasses__()]}[sys.argv[1]]()
    commands = ("ugi", "isready", "position", "moves", "go", "stop", "quit")
    while line := sys.stdin.readline():
        words = line.split()
        if words and words[0] in commands:
            getattr(bot, words[0])(words)


if __name__ == "__main__":
    main()
