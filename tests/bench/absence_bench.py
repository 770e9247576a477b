#!/usr/bin/env python3
"""What absent players cost a ladder: absence_bench.py [FOLDER_OF_PROGRAMS [SECONDS]], by default
build/release/bin and 10.

Seven bots that take 20 ms for a move play a ladder of `nim-arena serve`, alone; then with three
more who have played once and stay away; and with three who leave within their third question, again
and again. Prints the games a second of the seven among themselves, and the share of those that they
play alone, which should be 0.9 or more.
"""
import asyncio
import contextlib
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin"
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 10
ARENA = str(BIN / "nim-arena")
THINKING = 0.02
PRESENT, ABSENT = 7, 3


async def play(address, name, secret, questions=None):
    """Plays to the end, or leaves in the middle of the last of so many questions."""
    reader, writer = await asyncio.open_connection(*address, limit=1 << 20)
    try:
        while line := (await reader.readline()).decode():
            word = line.split()[0]
            if word == "ugi":
                writer.write(f"id name {name}\noption name LegalMoves type check default false\n"
                             f"id token {secret}\nugiok\n".encode())
            elif word == "isready":
                writer.write(b"readyok\n")
            elif word == "go":
                if questions is not None and (questions := questions - 1) == 0:
                    return writer.transport.abort()
                await asyncio.sleep(THINKING)
                writer.write(f"bestmove {line.split('searchmoves ')[1].split()[0]}\n".encode())
            elif word == "quit":
                return
    finally:
        writer.close()


async def come_and_go(address, name, secret):
    while True:
        with contextlib.suppress(OSError):
            await play(address, name, secret, questions=3)
        await asyncio.sleep(0.05)


def count(record):
    """Games of the seven among themselves."""
    with contextlib.closing(sqlite3.connect(f"file:{record}?mode=ro", uri=True)) as tables:
        names = dict(tables.execute("SELECT number, name FROM entrant"))
        rows = tables.execute("SELECT pair.player1, pair.player2 FROM game JOIN pair ON pair.id = game.pair")
        return sum(all(names[number].startswith("here") for number in row) for row in rows)


async def ladder(kind):
    """Games a second of the seven."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        others = [] if kind == "alone" else [f"away{i}" for i in range(ABSENT)]
        secrets = {}
        for name in [f"here{i}" for i in range(PRESENT)] + others:
            made = subprocess.run([ARENA, "token", "add", name, "--tokens", folder / "tokens"],
                                  capture_output=True, check=True, text=True)
            secrets[name] = made.stdout.strip()
        server = await asyncio.create_subprocess_exec(
            ARENA, "serve", "--listen", "127.0.0.1:0", "--tokens", folder / "tokens", "--record",
            folder / "record.db", "--position", "nim:3,4,5", "--seed", "1", "--analysis", "0", "--format",
            "ladder", "--budget", "1h", "--absence", "2000", "--await", str(len(secrets)),
            stdout=asyncio.subprocess.PIPE)
        try:
            while not (found := re.search(rb"listening on ([0-9.]+):(\d+)", await server.stdout.readline())):
                pass
            address = found[1].decode(), int(found[2])
            drain = asyncio.create_task(server.stdout.read())
            bots = [play(address, name, secret) if name.startswith("here")
                    else play(address, name, secret, questions=1) if kind == "stay away"
                    else come_and_go(address, name, secret) for name, secret in secrets.items()]
            tasks = [asyncio.create_task(bot) for bot in bots]
            await asyncio.sleep(2)  # all have come, and the first games have begun
            before = count(folder / "record.db")
            await asyncio.sleep(SECONDS)
            games = count(folder / "record.db") - before
            for task in (drain, *tasks):
                task.cancel()
            return games / SECONDS
        finally:
            with contextlib.suppress(ProcessLookupError):
                server.kill()
            await server.wait()


async def main():
    kinds = ("alone", "stay away", "come and go")
    rates = {kind: [] for kind in kinds}
    for _ in range(3):  # in turn, as the machine may be busy
        for kind in kinds:
            rates[kind].append(await ladder(kind))
    alone = sum(rates["alone"])
    for kind in kinds:
        shown = " ".join(f"{rate:.1f}" for rate in rates[kind])
        print(f"{kind:12} {shown} games/s of {PRESENT}; {sum(rates[kind]) / alone:.2f} of those alone")


if __name__ == "__main__":
    asyncio.run(main())
