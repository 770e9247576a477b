"""Waits before each move, after the first MOVES (0) of a process, until the folder ARGUMENT has a file
`gate`: a contest with it lasts until the test makes that. (A file that is named would be hashed as
part of the program.) The file `asked-PID` there says that it waits."""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "hostile" / "bots"))

from bot import ARGUMENT, play, run


free = int(sys.argv[2]) if len(sys.argv) > 2 else 0


def go(words):
    global free
    if free > 0:
        free -= 1
        return play(words)
    (pathlib.Path(ARGUMENT) / f"asked-{os.getpid()}").touch()
    while not (pathlib.Path(ARGUMENT) / "gate").exists():
        time.sleep(0.01)
    play(words)


run(go=go)
