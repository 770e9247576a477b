#!/usr/bin/env python3
"""What recording costs: recording_bench.py [FOLDER_OF_PROGRAMS [databases]],
build/release/bin by default; `databases`: only the last rows.

Prints the rate of a tournament that records every game against that of `nim-arena match`, which
records none, both between pipe players, in turn, over so many games that making the file, which
is printed apart, is little beside them; the rate of built-in players; the memory of a short
tournament beside that of one ten times as long; and games a second of built-in players that one
process records in a file, and 1, 2, 4 and 8 processes in a database, between a tenth and nine
tenths of the games, without and with fsync; and what a database adds to games of 10 ms.
"""
import contextlib
import os
import pathlib
import shlex
import sqlite3
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


def rate_within(counted, games):
    """Games a second between a tenth and nine tenths of all: without start and end. `counted()`
    gives how many are recorded."""
    marks = []
    for share in (0.1, 0.9):
        deadline = time.monotonic() + 300
        while (count := counted()) < share * games:
            if time.monotonic() > deadline:
                sys.exit("the games are not recorded in time")
            time.sleep(0.2)  # a query costs some of what is measured
        marks.append((time.monotonic(), count))
    (begin, first), (end, last) = marks
    return (last - first) / (end - begin)


def in_file(folder, games, players=BUILTIN, options=()):
    record = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "record.db"
    words = [word for player in players for word in ("--player", f"cmd={player}")]
    process = subprocess.Popen([ARENA, "tournament", *words, "--games", str(games), "--seed", "1",
                                "--quiet", "--analysis", "0", "--record", record, "--concurrency",
                                "1", *options], stdout=subprocess.DEVNULL)

    def counted():
        # Events are numbered without gaps, so that the last number counts all; two players and a
        # few rounds beside.
        try:
            with contextlib.closing(sqlite3.connect(f"file:{record}?mode=ro", uri=True)) as file:
                return file.execute("SELECT max(event) FROM game").fetchone()[0] or 0
        except sqlite3.OperationalError:
            return 0

    rate = rate_within(counted, games)
    if process.wait() != 0:
        sys.exit("a process has failed")
    return rate


def shared(server, workers, games, players=BUILTIN, options=()):
    """Games a second of so many processes that play into one database, one game at a time each;
    commits a second, and the games that each has recorded a commit."""
    database = server.create()
    url = server.url(database)
    words = [word for player in players for word in ("--player", f"cmd={player}")]
    first = [ARENA, "tournament", *words, "--games", str(games), "--seed", "1", "--quiet", "--analysis",
             "0", "--record", url, "--concurrency", "1", *options]
    others = [[ARENA, "work", url, "--quiet", "--cores", "1"]] * (workers - 1)
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in [first, *others]]
    commits = []

    def counted():
        try:
            row = server.query(database, "SELECT last_event, changes FROM nimarena.counter")[0]
        except RuntimeError:
            return 0
        commits.append((time.monotonic(), int(row[1])))
        return int(row[0])

    rate = rate_within(counted, games)
    (begin, few), (end, many) = commits[len(commits) // 2], commits[-1]
    if any(process.wait() != 0 for process in processes):
        sys.exit("a process has failed")
    return rate, (many - few) / max(end - begin, 0.001)


def databases(folder, games=100_000, runs=3):
    """The median of several runs, in turn, because the speed of the machine may change."""
    for sync in (False, True):
        server = Server(sync=sync)
        try:
            print(f"zero-think players, medians of {runs} runs; the database "
                  f"{'waits for the disk (fsync)' if sync else 'without fsync'}")
            counts = (1, 2, 4, 8)
            files, rates = [], {workers: [] for workers in counts}
            for _ in range(runs):
                files.append(in_file(folder, games))
                for workers in counts:
                    rates[workers].append(shared(server, workers, games))
            file = statistics.median(files)
            print(f"a file: {file:.0f} games/s ({min(files):.0f} to {max(files):.0f})")
            for workers in counts:
                one = [rate for rate, _ in rates[workers]]
                rate = statistics.median(one)
                commits = statistics.median([commit for _, commit in rates[workers]])
                aim = {1: "; aim: above 0.90", 8: "; aim: 5,000 games/s"}.get(workers, "")
                print(f"a database, workers: {workers}: {rate:.0f} games/s ({min(one):.0f} to "
                      f"{max(one):.0f}), {rate / file:.2f} of that{aim}; {commits:.0f} commits/s")
        finally:
            server.remove()
    programs(folder)
    claims(folder)


def programs(folder, games=60_000, runs=5):
    """One process, with players that are programs and do not think: these play fewer games a
    second than either record can take."""
    server = Server(sync=True)
    try:
        ratios = []
        for _ in range(runs):
            file = in_file(folder, games, PIPES)
            rate, _ = shared(server, 1, games, PIPES)
            ratios.append(rate / file)
        print(f"pipe players, one process: {rate:.0f} games/s in a database with fsync, "
              f"{statistics.median(ratios):.2f} of a file ({min(ratios):.2f} to {max(ratios):.2f}; aim: "
              "above 0.90)")
    finally:
        server.remove()


def claims(folder, games=400):
    """What claiming and recording adds to games of 10 ms, beside a file."""
    bot = [sys.executable, "-B", str(ROOT / "tests" / "cluster" / "bots" / "calm.py"), "5"]
    players = [f'"{shlex.join(bot)}" name={name}' for name in ("Ann", "Bob")]
    words = ["--position", "nim:1,1", "--movetime", "10000"]
    server = Server(sync=True)
    try:
        file, database = [], []
        for _ in range(3):
            file.append(1000 / in_file(folder, games, players, words))
            database.append(1000 / shared(server, 1, games, players, words)[0])
        print(f"games of 10 ms of thought, one at a time: {statistics.median(file):.2f} ms a game in a "
              f"file, {statistics.median(database):.2f} ms in a database with fsync")
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
