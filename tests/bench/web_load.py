#!/usr/bin/env python3
"""How nim-arena web bears load: latency of /api/evaluate, and memory of idle clients and watchers.

    web_load.py [--rate N] [--seconds N] [--connections N] [--idle N] [--watchers N] [--games N]
                [-- COMMAND...]

Starts COMMAND (default: nim-arena web on a free port), which prints http://HOST:PORT/. Requests
evaluate random sums of ten piles and are sent at fixed times (open loop) over connections that are
kept: a late answer delays no other request, and its latency counts from the time at which it was
to be sent. Clients come from several addresses of 127.0.0.0/8, as the server limits each of them.
The page is asked for at the same rate, for comparison: what a busy machine costs. Watchers are
measured where the server has something to be watched.
"""
import argparse
import gc
import json
import os
import pathlib
import random
import re
import resource
import select
import socket
import subprocess
import sys
import time

BIN = pathlib.Path(os.environ.get("NIMARENA_BIN", pathlib.Path(__file__).resolve().parents[2] /
                                  "build" / "release" / "bin"))
PER_ADDRESS = 200


def resident(pid):
    """The private memory of a process in bytes."""
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss_Anon:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no Pss_Anon in smaps_rollup")


def connect(address, number):
    client = socket.create_connection(address, 30, (f"127.0.1.{1 + number // PER_ADDRESS}", 0))
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


RULESETS = ["nim", "take{1,3,4}", "octal{0.137}", "hex{0.8F}", "kayles", "dawson-kayles", "lasker",
            "grundy", "rules{n->n-k:k>=1&n%k=0&k<n}"]


def random_sum(numbers, piles, least, most):
    return "+".join(f"{numbers.choice(RULESETS)}:{numbers.randint(least, most)}"
                    for _ in range(piles))


def request(path, body):
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


class Connection:
    def __init__(self, address, number):
        self.socket = connect(address, number)
        self.received, self.due = b"", None

    def send(self, due, data):
        self.due, self.received = due, b""
        self.socket.sendall(data)

    def read(self):
        """The status once the response is whole; else None."""
        data = self.socket.recv(1 << 20)
        if not data:
            raise RuntimeError("the server closed a connection")
        self.received += data
        head, found, body = self.received.partition(b"\r\n\r\n")
        length = re.search(rb"\r\nContent-Length: (\d+)", head)
        if not found or len(body) < int(length[1]):
            return None
        return int(head.split()[1])


def exchange(address, data):
    connection = Connection(address, 0)
    connection.send(0, data)
    while (status := connection.read()) is None:
        pass
    connection.socket.close()
    return status, connection.received.partition(b"\r\n\r\n")[2]


def evaluations(count):
    numbers = random.Random(1)
    return [request("/api/evaluate", json.dumps({"position": random_sum(numbers, 10, 10, 20)}))
            for _ in range(count)]


def load(address, what, requests, rate, count):
    connections = [Connection(address, i) for i in range(count)]
    free, poll, by_file = list(connections), select.epoll(), {}
    for connection in connections:
        poll.register(connection.socket, select.EPOLLIN)
        by_file[connection.socket.fileno()] = connection
    start, sent, latencies, failures = time.monotonic() + 0.1, 0, [], {}
    while len(latencies) < len(requests):
        now = time.monotonic()
        while sent < len(requests) and free and start + sent / rate <= now:
            free.pop().send(start + sent / rate, requests[sent])
            sent += 1
        wait = start + sent / rate - time.monotonic() if sent < len(requests) and free else 1
        for file, _ in poll.poll(max(0, wait)):
            connection = by_file[file]
            status = connection.read()
            if status is None:
                continue
            latencies.append(time.monotonic() - connection.due)
            if status != 200:
                failures[status] = failures.get(status, 0) + 1
            free.append(connection)
    for connection in connections:
        connection.socket.close()
    latencies.sort()
    at = lambda share: 1000 * latencies[min(len(latencies) - 1, int(share * len(latencies)))]
    print(f"{what}: {len(latencies)} requests at {rate:g}/s over {count} connections, "
          f"p50 {at(0.5):.2f} ms, p99 {at(0.99):.2f} ms, most {at(1):.2f} ms"
          + (f", FAILED {failures}" if failures else ""))
    return not failures


def answer_of(client):
    data = client.recv(65536)
    if not data.startswith(b"HTTP/1.1 "):
        raise RuntimeError(f"no response: {data[:100]!r}")
    return int(data.split()[1])


def measure_idle(address, pid, count):
    exchange(address, b"GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n")
    before = resident(pid)
    clients = [connect(address, i) for i in range(count)]
    for client in clients:
        client.sendall(b"GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer_of(client)
    print(f"idle: {count} connections that were used once, "
          f"{(resident(pid) - before) / count:.0f} bytes each")
    for client in clients:
        client.close()


def measure_watchers(address, pid, count):
    before = resident(pid)
    clients = [connect(address, 2000 + i) for i in range(count)]
    for client in clients:
        client.sendall(b"GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if (status := answer_of(client)) != 200:
            print(f"watchers: there is nothing to be watched ({status})")
            return
    begin, received = time.monotonic(), 0
    while time.monotonic() < begin + 5:
        for client in select.select(clients, [], [], 0.1)[0]:
            received += len(client.recv(1 << 20))
    print(f"watchers: {count}, {(resident(pid) - before) / count:.0f} bytes of memory each, "
          f"{received / count / 5:.0f} bytes a second sent to each")
    for client in clients:
        client.close()


class Player:
    """Plays one game after the other, both sides by the server."""

    def __init__(self, address, number):
        self.connection = Connection(address, number)
        self.numbers = random.Random(number)
        self.begin()

    def begin(self):
        self.game = {"position": random_sum(self.numbers, 3, 3, 6), "moves": []}
        self.ask()

    def ask(self):
        self.connection.send(0, request("/api/reply", json.dumps(self.game | {"opponent": "perfect"})))

    def go_on(self):
        """Whether a game has ended; then the next one has begun."""
        status = self.connection.read()
        if status is None:
            return False
        answer = json.loads(self.connection.received.partition(b"\r\n\r\n")[2])
        if status == 200:
            self.game["moves"].append(answer["move"])
        elif "no move" not in answer["error"]["text"]:
            raise RuntimeError(answer)
        if status == 400 or (status == 200 and answer["game"]["over"]):
            self.begin()
            return True
        self.ask()
        return False


def measure_games(address, pid, count):
    players = {p.connection.socket.fileno(): p
               for p in (Player(address, PER_ADDRESS * i) for i in range(16))}
    poll = select.epoll()
    for file in players:
        poll.register(file, select.EPOLLIN)
    games, steps = 0, iter(range(count // 10, count + 1, count // 10))
    step, begun = next(steps), time.monotonic()
    while games < count:
        games += sum(players[file].go_on() for file, _ in poll.poll())
        if games >= step:
            print(f"games: {games} played, the server holds {resident(pid) >> 10} KiB, "
                  f"{games / (time.monotonic() - begun):.0f} games/s", flush=True)
            step = next(steps, count)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--idle", type=int, default=1000)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--games", type=int, default=0, help="play so many, and tell the memory")
    parser.add_argument("command", nargs="*")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    command = options.command or [str(BIN / "nim-arena"), "web", "--listen", "127.0.0.1:0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        for line in server.stdout:
            if found := re.search(r"http://([0-9.]+):(\d+)/", line):
                break
        else:
            sys.exit("the command printed no http://HOST:PORT/")
        address = found[1], int(found[2])
        if options.games:
            return measure_games(address, server.pid, options.games)
        measure_idle(address, server.pid, options.idle)
        measure_watchers(address, server.pid, options.watchers)
        gc.disable()
        count = int(options.rate * options.seconds)
        page = [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"] * count
        load(address, "page", page, options.rate, options.connections)
        if not load(address, "evaluate", evaluations(count), options.rate, options.connections):
            sys.exit(1)
    finally:
        server.terminate()
        server.wait()


main()
