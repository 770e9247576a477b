#!/usr/bin/env python3
"""Stops of the arena: stops.py [FOLDER_OF_PROGRAMS [SEED [STOPS]]], build/release/bin by default.

Sixty honest and sixty hostile bots dial in to a server and play there, while the server is stopped
fifty times for 0.2 to 5 s. Prints what was lost, by whom and by what reason. Status 1: an honest
bot lost a game by a fault, or a hostile one gained by the stops.
"""
import collections
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ZOO = ROOT / "tests" / "hostile" / "bots"
BIN = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin"
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
BOTS = 60
STOPS = int(sys.argv[3]) if len(sys.argv) > 3 else 50
HOSTILE = ["hang", "stops", "burns_cores", "drip", "too_late", "half_a_line", "floods_lines", "waits",
           "never_reads", "burns_off_turn"]
FAULTS = {"illegal-move", "timeout", "disconnected", "protocol", "startup", "off-turn"}


def bots(folder):
    tokens = folder / "tokens"
    for name in [f"honest{i}" for i in range(BOTS)] + [f"hostile{i}" for i in range(BOTS)]:
        made = subprocess.run([BIN / "nim-arena", "token", "add", name, "--tokens", tokens], check=True,
                              capture_output=True, text=True).stdout
        number = int(name.lstrip("honestil"))
        command = [str(BIN / "nim-random")]
        if name.startswith("hostile"):
            command = [sys.executable, "-B", str(ZOO / (HOSTILE[number % len(HOSTILE)] + ".py"))]
        yield name, made.split()[-1], command


def main():
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        players = list(bots(folder))
        server = subprocess.Popen(
            [BIN / "nim-arena", "serve", "--listen", "127.0.0.1:0", "--tokens",
             folder / "tokens", "--format", "swiss", "--rounds", "20", "--movetime", "1000", "--await",
             str(2 * BOTS), "--record", folder / "record.db", "--position", "nim:3,4,5",
             "--concurrency", "40", "--absence", "3000", "--unproven", "1000", "--seed", str(SEED)],
            stdout=(folder / "out").open("w"), stderr=subprocess.STDOUT)
        # To a file: nobody reads while the server plays.
        while not (line := (folder / "out").read_text()).startswith("listening on ") or "\n" not in line:
            if server.poll() is not None:
                sys.exit("the server does not listen: " + line)
            time.sleep(0.1)
        address = line.splitlines()[0].split()[-1]
        dialled = []
        for name, token, command in players:
            file = folder / (name + ".token")
            file.write_text(token)
            file.chmod(0o600)
            dialled.append(subprocess.Popen(
                [sys.executable, ROOT / "bots" / "connect.py", address, "--token-file", file, *command],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True))
        time.sleep(8)  # until games are played
        away = 0.0
        for i in range(STOPS):
            if server.poll() is not None:
                break
            length = 0.2 * 25 ** chance.random()  # 0.2 to 5 s
            server.send_signal(signal.SIGSTOP)
            time.sleep(length)
            server.send_signal(signal.SIGCONT)
            away += length
            time.sleep(chance.uniform(0.2, 2.0))
        server.send_signal(signal.SIGTERM)
        server.wait()
        text = (folder / "out").read_text()
        for bot in dialled:
            bot.terminate()  # it ends its program, which may ignore the end of input
        for bot in dialled:
            bot.wait()
        # Some have left their session.
        subprocess.run(["pkill", "-KILL", "-f", f"{ZOO}/.*[.]py"], check=False)
        exported = subprocess.run([BIN / "nim-arena", "export", folder / "record.db", "--format", "jsonl"],
                                  check=True, capture_output=True, text=True).stdout
    games = [json.loads(line) for line in exported.splitlines()]
    lost = collections.Counter()
    for game in games:
        if game["reason"] in FAULTS:
            loser = game["p2" if game["winner"] == "p1" else "p1"]
            lost[loser.rstrip("0123456789"), game["reason"]] += 1
            if loser.startswith("honest"):
                print(game["detail"])
    print(f"stopped {STOPS} times, {away:.1f} s in all; {len(games)} games")
    print("lost by a fault:", dict(lost) or "none")
    for line in text.splitlines():
        if "did not run" in line:
            print(line)
    sys.exit(any(who == "honest" for who, _ in lost))


main()
