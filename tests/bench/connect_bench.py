#!/usr/bin/env python3
"""What a move costs through bots/connect.py: connect_bench.py [FOLDER_OF_PROGRAMS [MOVES]].

The same bot is connected in each way at once, and asked for a move in each way in turn, so that all
meet the same load of the machine. Prints the median of a move, its ratio to that of a bot which dials
in by itself, and the median of the differences.
"""
import pathlib
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin"
MOVES = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
QUESTION = b"position fen nim:3,4,5\ngo movetime 1000\n"
CONNECT = [sys.executable, ROOT / "bots" / "connect.py"]
BOT = BIN / "nim-random"


WAYS = {  # the first is the one to compare with
    "by itself": [BOT, "--connect", "ADDRESS"],
    "connect.py": [*CONNECT, "ADDRESS", "--token-file", "token", BOT],
    "connect.py --tls": [*CONNECT, "ADDRESS", "--tls", "--ca", "cert.pem", "--token-file", "token", BOT],
}


class Player:
    def __init__(self, command, context, folder):
        with socket.create_server(("127.0.0.1", 0)) as door:
            address = "localhost:%d" % door.getsockname()[1]
            command = [address if word == "ADDRESS" else word for word in command]
            self.process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
            self.socket = door.accept()[0]
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if "--tls" in command:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.file = self.socket.makefile("rb")
        self.ask(b"ugi\n", b"ugiok")
        self.ask(b"isready\n", b"readyok")

    def ask(self, question, answer):
        begun = time.perf_counter()
        self.socket.sendall(question)
        while not (line := self.file.readline()).startswith(answer):
            if not line:
                sys.exit("the bot is gone")
        return (time.perf_counter() - begun) * 1000

    def close(self):
        self.socket.sendall(b"quit\n")
        self.file.close()
        self.socket.close()
        self.process.wait()


def measure(folder):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    players = [Player(command, context, folder) for command in WAYS.values()]
    times = [[] for _ in players]
    for i in range(MOVES):
        for j in range(len(players)):  # in alternating order
            which = (i + j) % len(players)
            times[which].append(players[which].ask(QUESTION, b"bestmove"))
    for player in players:
        player.close()
    base = statistics.median(times[0])
    for name, taken in zip(WAYS, times):
        more = statistics.median(b - a for a, b in zip(times[0], taken))
        median = statistics.median(taken)
        print(f"{name:18} {median:.3f} ms a move, p99 "
              f"{statistics.quantiles(taken, n=100)[98]:.3f} ms, ratio {median / base:.2f}, "
              f"{more:+.3f} ms")


with tempfile.TemporaryDirectory() as temporary:
    here = pathlib.Path(temporary)
    (here / "token").write_text("f" * 32)
    (here / "token").chmod(0o600)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost", "-keyout", here / "key.pem", "-out",
                    here / "cert.pem"], check=True, capture_output=True)
    measure(here)
