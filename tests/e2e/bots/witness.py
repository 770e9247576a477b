#!/usr/bin/env python3
"""A bot that logs the lines it is sent, for tests: python3 witness.py FILE [KIND].

Each process appends JSON lines to FILE: one about itself, then one a line that it reads. It plays
the first of the legal moves that it is told, else takes a heap of the position, which is nim.

KIND: `asks` prints `option name LegalMoves`.
"""
import json
import os
import sys


def write_down(**facts):
    with open(sys.argv[1], "a") as file:
        file.write(json.dumps(dict(facts, pid=os.getpid())) + "\n")


def take_a_heap(position):
    words = position.split()
    heaps = [int(heap) for heap in words[2].removeprefix("nim:").split(",")]
    for move in words[4:]:
        index, heap = move.split("=")
        heaps[int(index) - 1] = int(heap)
    return f"{next(i for i, heap in enumerate(heaps, 1) if heap)}=0"


def main():
    kind = sys.argv[2] if len(sys.argv) > 2 else ""
    write_down(cores=sorted(os.sched_getaffinity(0)), folder=os.getcwd(),
               unbuffered=os.environ.get("PYTHONUNBUFFERED"),
               said=os.environ.get("WITNESS"))
    position = ""
    for line in sys.stdin:
        write_down(line=line)
        words = line.split()
        if words[0] == "ugi":
            print("id name Witness", flush=True)
            if kind == "asks":
                print("option name LegalMoves type check default false", flush=True)
            print("ugiok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            position = line
        elif words[0] == "go":
            if "searchmoves" in words:
                print("bestmove", words[words.index("searchmoves") + 1], flush=True)
            else:
                print("bestmove", take_a_heap(position), flush=True)
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    main()
