#!/usr/bin/env python3
"""What recording costs: recording_bench.py [FOLDER_OF_PROGRAMS [databases]],
build/release/bin by default; `databases`: only the last rows.

Prints the rate of a tournament that records every game against that of `nim-arena match`, which
records none, both between pipe players, in turn, over so many games that making the file, which
is printed apart, is little beside them; the rate of built-in players; the memory of a short
tournament beside that of one ten times as long; and games a second of built-in players that one
process records in a file, and 1, 2, 4 and 8 processes in a database.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "e2e"))
from postgres import Server

BIN = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin"
ARENA = str(BIN / "nim-arena")
PIPES = [str(BIN / "nim-random"), str(BIN / "nim-greedy")]
BUILTIN = ["builtin:random", "builtin:greedy"]


def run(arguments):
    """Seconds, and the peak memory in MiB."""
    start = time.monotonic()
    null = os.open(os.devnull, os.O_WRONLY)
    pid = os.posix_spawn(ARENA, [ARENA, *map(str, arguments)], os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    os.close(null)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"nim-arena ended with status {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def match(players, games):
    return run(["match", *players, "--games", games, "--seed", 1, "--quiet"])


def tournament(players, games, folder, *options):
    words = [word for player in players for word in ("--player", f"cmd={player}")]
    record = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "record.db"
    return run(["tournament", *words, "--games", games, "--seed", 1, "--quiet", "--analysis", 0,
                "--record", record, *options])


def shared(server, workers, games):
    """Games a second of so many processes that play into one database, one game at a time each."""
    url = server.url(server.create())
    words = [word for player in BUILTIN for word in ("--player", f"cmd={player}")]
    start = time.monotonic()
    first = [ARENA, "tournament", *words, "--games", str(games), "--seed", "1", "--quiet", "--analysis",
             "0", "--record", url, "--concurrency", "1"]
    others = [[ARENA, "work", url, "--quiet", "--cores", "1"]] * (workers - 1)
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in [first, *others]]
    if any(process.wait() != 0 for process in processes):
        sys.exit("a process has failed")
    return games / (time.monotonic() - start)


def databases(folder, games=40_000):
    server = Server()
    try:
        file = games / tournament(BUILTIN, games, folder, "--concurrency", 1)[0]
        print(f"zero-think players, a file: {file:.0f} games/s")
        for workers in (1, 2, 4, 8):
            rate = shared(server, workers, games)
            aim = {1: "; aim: above 0.90", 8: "; aim: 5,000 games/s"}.get(workers, "")
            print(f"a database, workers: {workers}: {rate:.0f} games/s ({rate / file:.2f} of that{aim})")
    finally:
        server.remove()


def main():
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[2:] == ["databases"]:
            return databases(folder)
        making = [tournament(PIPES, 2, folder)[0] - match(PIPES, 2)[0] for _ in range(7)]
        print(f"a record is made in {1000 * statistics.median(making):.0f} ms")
        games = 20_000
        without, ratios = [], []
        for i in range(7):
            # In alternating order, because the speed of the machine may change.
            if i % 2 == 0:
                without.append(match(PIPES, games)[0])
            recorded, _ = tournament(PIPES, games, folder)
            if i % 2 == 1:
                without.append(match(PIPES, games)[0])
            ratios.append(without[-1] / recorded)
        print(f"pipe players: {games / statistics.median(without):.0f} games/s without a record, the "
              f"rate with one is {statistics.median(ratios):.2f} of that ({min(ratios):.2f} to "
              f"{max(ratios):.2f}; aim: above 0.90)")
        seconds, short = tournament(BUILTIN, 100_000, folder)
        print(f"built-in players: 100,000 games recorded in {seconds:.1f} s (aim: a minute or so)")
        _, long = tournament(BUILTIN, 1_000_000, folder)
        print(f"memory: {short:.0f} MiB for 100,000 games, {long:.0f} MiB for 1,000,000")
        databases(folder)


main()
