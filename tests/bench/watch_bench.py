#!/usr/bin/env python3
"""What watching costs: watch_bench.py [FOLDER_OF_PROGRAMS], build/release/bin by default.

Plays the same match between pipe players without --web, with --web, and with --web and 200
watchers, in turn, and prints the rates of the latter two against the first. The watchers are a
process of their own that takes and drops what it is sent; it shares the machine with the match, and
so does the server's thread: the CPU time of both is printed, as parts of one core. On a
machine that does something else, too, the CPU times tell more than the rates.
"""
import os
import pathlib
import re
import selectors
import socket
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATCHERS = 200
GAMES = 60_000
ROUNDS = 5
TICKS = os.sysconf("SC_CLK_TCK")


def watch(host, port):
    """The process of the watchers: until the server closes all connections."""
    os.nice(19)
    selector = selectors.DefaultSelector()
    request = f"GET /api/live HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    for _ in range(WATCHERS):
        connection = socket.create_connection((host, port))
        connection.sendall(request)
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ)
    size, buffer = 0, bytearray(1 << 20)
    while selector.get_map():
        for key, _ in selector.select():
            try:
                count = key.fileobj.recv_into(buffer)
            except OSError:
                count = 0
            size += count
            if not count:
                selector.unregister(key.fileobj)
    print(size)


def low_priority_time(pid):
    """CPU seconds of the threads that serve: those with a lower priority than the rest."""
    ticks = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            fields = (task / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[16]) >= 10:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


class Run:
    """One match: plies per second, and the share of a core that watching took."""

    def __init__(self, folder, web, watchers):
        players = [str(folder / name) for name in ("nim-random", "nim-greedy")]
        words = ["--web", "127.0.0.1:0"] if web else []
        begun = time.monotonic()
        match = subprocess.Popen(
            [folder / "nim-arena", "match", *players, "--games", str(GAMES), "--seed", "1",
             "--quiet", *words], stdout=subprocess.PIPE, text=True)
        reader = None
        if watchers:
            found = re.search(r"http://(.*):(\d+)/", match.stdout.readline())
            reader = subprocess.Popen([sys.executable, __file__, "--watch", found[1], found[2]],
                                      stdout=subprocess.PIPE, text=True)
        served = 0.0
        while not (ended := os.wait4(match.pid, os.WNOHANG))[0]:
            time.sleep(0.1)
            try:
                served = max(served, low_priority_time(match.pid))
            except OSError:
                pass
        match.stdout.close()
        match.returncode = os.waitstatus_to_exitcode(ended[1])
        if match.returncode != 0:
            sys.exit(f"nim-arena ended with status {match.returncode}")
        self.seconds = time.monotonic() - begun
        self.cpu = ended[2].ru_utime + ended[2].ru_stime  # its own, and that of players
        self.served = served / self.seconds
        self.read = self.megabytes = 0.0
        if reader:
            self.megabytes = int(reader.stdout.read()) / 1e6 / self.seconds
            reader.stdout.close()
            _, _, usage = os.wait4(reader.pid, 0)
            reader.returncode = 0
            self.read = (usage.ru_utime + usage.ru_stime) / self.seconds


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin"
    kinds = [(False, False), (True, False), (True, True)]
    runs = {kind: [] for kind in kinds}
    for i in range(ROUNDS):
        # In alternation, because the speed of the machine may change.
        for kind in kinds[i % 3:] + kinds[:i % 3]:
            runs[kind].append(Run(folder, *kind))
    alone = [run.seconds for run in runs[kinds[0]]]
    print(f"{GAMES / statistics.median(alone):.0f} games a second without --web")
    for kind, name in ((kinds[1], "with --web"), (kinds[2], f"with {WATCHERS} watchers")):
        ratios = [before / run.seconds for before, run in zip(alone, runs[kind])]
        cpu = statistics.median(run.cpu / before.cpu
                                for run, before in zip(runs[kind], runs[kinds[0]]))
        served, read, megabytes = (statistics.median(getattr(run, key) for run in runs[kind])
                                   for key in ("served", "read", "megabytes"))
        print(f"{name}: {statistics.median(ratios):.3f} of that ({min(ratios):.3f} to "
              f"{max(ratios):.3f}), CPU time of arena and players {cpu:.3f} times; server's threads {served:.1%} of a core, watchers' own "
              f"process {read:.1%}, {megabytes:.1f} MB a second")
    print("aim: above 0.95 with watchers")


if sys.argv[1:2] == ["--watch"]:
    watch(sys.argv[2], int(sys.argv[3]))
else:
    main()
