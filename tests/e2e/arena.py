"""Runs nim-arena, and examines its output and its processes.

NIMARENA_BIN names the folder of the programs.
"""
import contextlib
import ctypes
import functools
import json
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("NIMARENA_BIN", ROOT / "build" / "release" / "bin"))
ZOO = ROOT / "tests" / "hostile" / "bots"

ARENA = str(BIN / "nim-arena")
ENGINE = str(BIN / "nim-engine")
RANDOM = str(BIN / "nim-random")
GREEDY = str(BIN / "nim-greedy")

PATIENCE = 300  # seconds; no passing test waits as long, however busy the machine
# What the user has set changes no words, no colours, and not how long a path is.
for variable in {"LANGUAGE", "NO_COLOR", "COLUMNS", *filter(re.compile("LC_").match, os.environ)}:
    os.environ.pop(variable, None)
os.environ |= {"LANG": "C.UTF-8", "TERM": "xterm"}
tempfile.tempdir = "/tmp"
# A shell that runs tests in its background ignores SIGINT, and nohup SIGHUP; so would what a test starts.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, lambda *_: None)
# What a test starts, directly or not, stays below it: it adopts those whose parents have ended.
PR_SET_CHILD_SUBREAPER = 36
assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
# But not what tests use, and do not test.
HELPERS = {"postgres", "pg_ctl", "psql", "munged", "slurmctld", "slurmd", "slurmstepd"}
FAULTS = {"illegal-move", "timeout", "disconnected", "protocol", "startup", "off-turn"}


def zoo(kind, *arguments):
    """The command of a bot of tests/hostile/bots. Without Python's `site` it starts in less time."""
    return shlex.join([sys.executable, "-SB", str(ZOO / (kind + ".py")), *arguments])


def player(command, **keys):
    """--player and its value; keys such as option_Seed=7 stand for option.Seed=7."""
    words = ["cmd=" + quote(command)]
    words += [key.replace("_", ".", 1) + "=" + quote(str(value)) for key, value in keys.items()]
    return ["--player", " ".join(words)]


def children(pid):
    """The processes whose parent it is; those that have ended, too, until it waits for them."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    except OSError:  # it ends meanwhile
        pass
    return found


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@functools.cache
def sandbox_trouble():
    """What doctor says, which tries the sandbox, where that does not work; else None."""
    if not os.access("/usr/bin/python3", os.X_OK):
        return "there is no /usr/bin/python3, the one visible in the sandbox"
    doctor = subprocess.run([ARENA, "doctor"], capture_output=True, text=True, timeout=PATIENCE)
    line = next(line for line in doctor.stdout.splitlines() if "--sandbox bwrap" in line)
    return None if re.search("--sandbox bwrap +works", line) else line.strip()


def quote(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def games_in(record):
    """The number of games in a file, which may not be made yet."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{record}?mode=ro", uri=True)) as file:
            return file.execute("SELECT count(*) FROM game").fetchone()[0]
    except sqlite3.Error:  # not made yet
        return 0


GOOD = player("builtin:perfect", name="Good")


def unhurried(command):
    """A command of nim-arena that plays, with so much time that no honest bot is late, however busy the
    machine is. What a test says itself stays; where it has a tournament's file, that is to say it."""
    words = [str(word) for word in command]
    begin = words.index(ARENA) + 1 if ARENA in words else len(words)
    name, *rest = words[begin:] or [""]
    if name not in ("match", "tournament", "serve") or rest and rest[0].endswith(".toml"):
        return words
    limits = ["--startup", *["--movetime"] * ("--tc" not in rest), *["--handshake"] * (name == "serve")]
    added = [word for limit in limits if limit not in rest for word in (limit, "600000")]
    return [*words[:begin], name, *added, *rest]


class Finished:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def games(self):
        """The lines of --jsonl -, by the number of the game. Other output fails the test."""
        games = [json.loads(line) for line in self.out.decode().splitlines()]
        games = [game for game in games if "not_started" not in game]
        return sorted(games, key=lambda game: game["game"])

    def report(self):
        return self.err.decode()


class ArenaTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.older = set(children(os.getpid()))  # such as the server that all tests of a class share
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # The directories of players with a clean environment are here.
        self.homes = self.folder / "homes"
        self.homes.mkdir()
        self.environment = dict(os.environ, TMPDIR=str(self.homes))
        self.addCleanup(self.kill_what_is_left)

    def need_sandbox(self):
        if trouble := sandbox_trouble():
            self.skipTest("NOTHING IS TRIED: " + trouble)

    # ---- processes ----

    def start(self, *command, **options):
        """A process that is killed at the end of the test."""
        options = dict(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       bufsize=0) | options  # so that lines can be read before the rest
        process = subprocess.Popen(unhurried(command), env=self.environment, **options)
        self.addCleanup(self.close, process)
        return process

    def run_on_a_terminal(self, *arguments, program=ARENA, steps=(), status=0):
        """What a program writes to a terminal; it ends with `status`. `steps`: in their order, a pattern, and what to
        do with the process and the match once that is there."""
        terminal, other = pty.openpty()
        self.addCleanup(os.close, terminal)
        process = self.start(program, *arguments, stdout=other, stderr=other)
        os.close(other)
        said, left = b"", list(steps)
        try:
            while piece := os.read(terminal, 4096):
                said += piece
                while left and (found := re.search(left[0][0], said.decode(errors="ignore"))):
                    left.pop(0)[1](process, found)
        except OSError:  # the end of a terminal
            pass
        self.assertEqual((process.wait(PATIENCE), left), (status, []), said.decode())
        return said.decode()

    def tls_certificate(self, name="localhost"):
        """A new certificate of this host, signed by itself, and its key: two files."""
        cert, key = self.folder / "cert.pem", self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=" + name,
                        "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", cert],
                       check=True, capture_output=True)
        return cert, key

    @staticmethod
    def close(process):
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    def offspring(self):
        """The living processes that this test has started, directly or not, and their command lines."""
        found, waiting = {}, [pid for pid in children(os.getpid())
                              if pid not in self.older and name_of(pid) not in HELPERS]
        while waiting:
            pid = waiting.pop()
            waiting += children(pid)
            try:
                if is_alive(pid):
                    found[pid] = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                continue
        return found

    def kill_what_is_left(self):
        for pid in self.offspring():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for pid in set(children(os.getpid())) - self.older:  # adopted
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass

    @staticmethod
    def wait_for_deaths(pids):
        """Returns those of `pids` that keep living."""
        deadline = time.monotonic() + PATIENCE
        alive = []
        for pid in pids:
            try:
                process = os.pidfd_open(pid)
            except ProcessLookupError:
                continue
            with os.fdopen(process):
                if not select.select([process], [], [], max(0, deadline - time.monotonic()))[0]:
                    alive.append(pid)
        return alive

    def wait_until(self, holds, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while not holds():
            self.assertLess(time.monotonic(), deadline, "it does not come to that")
            time.sleep(0.01)

    def fifo(self, name="fifo"):
        path = self.folder / name
        os.mkfifo(path)
        return path

    # ---- a network of the test's own ----

    def network(self):
        """A namespace with a link to this machine; returns its name, and the address of the machine.
        Its own end is the device `peer`."""
        name = "nim" + uuid.uuid4().hex[:8]
        if os.geteuid() != 0 or not shutil.which("ip"):
            self.skipTest("network namespaces need root and ip")
        done = subprocess.run(["ip", "netns", "add", name], capture_output=True)
        if done.returncode != 0:
            self.skipTest(f"no network namespaces here: {done.stderr.decode().strip()}")
        self.addCleanup(subprocess.run, ["ip", "netns", "del", name], capture_output=True)
        self.addCleanup(subprocess.run, ["ip", "link", "del", name], capture_output=True)
        # RFC 2544: for tests, routed nowhere.
        block = uuid.uuid4().int % 2**14 * 4
        here, there = (f"198.18.{block // 256}.{block % 256 + end}" for end in (1, 2))
        for command in (["ip", "link", "add", name, "type", "veth", "peer", "name", "peer",
                         "netns", name],
                        ["ip", "addr", "add", here + "/30", "dev", name],
                        ["ip", "link", "set", name, "up"],
                        ["ip", "-n", name, "addr", "add", there + "/30", "dev", "peer"],
                        ["ip", "-n", name, "link", "set", "peer", "up"]):
            done = subprocess.run(command, capture_output=True)
            if done.returncode != 0:
                self.skipTest(f"{' '.join(command)}: {done.stderr.decode().strip()}")
        return name, here

    # ---- bots of a test's own ----

    def scripted(self, name, code, *arguments, **keys):
        """A player that runs `code`, which begins with all of bot.py of the zoo."""
        file = self.folder / f"{name}.py"
        file.write_text("from bot import *\n" + code)
        command = [sys.executable, "-SB", str(file), *map(str, arguments)]
        return player(shlex.join(command), name=name, env_PYTHONPATH=ZOO, **keys)

    def introduced(self, name):
        """A player with this name in its handshake alone, which takes the first heap."""
        bot = self.folder / "bot.sh"
        bot.write_text('while read -r line; do case "$line" in ugi) echo "id name $1"; echo ugiok;; '
                       'isready) echo readyok;; go*) echo "bestmove 1=0";; quit) exit;; esac; done')
        return player(f"sh {bot} '{name}'")

    def gated(self, name="Gate", moves=0):
        """A player that makes no move before open_gate(), but for the first `moves` of each process."""
        self.gate()
        bot = pathlib.Path(__file__).parent / "bots" / "gated.sh"
        command = shlex.join(["sh", str(bot), str(self.folder), str(moves)])
        return player(command, name=name, movetime=10 ** 6)

    def gate(self):
        """A FIFO: who opens it for reading waits for open_gate()."""
        return self.folder / "gate" if (self.folder / "gate").exists() else self.fifo("gate")

    def open_gate(self):
        """For all, until the end of the test."""
        self.addCleanup(os.close, os.open(self.folder / "gate", os.O_RDWR))

    # ---- nim-arena ----

    def arena(self, *arguments, status=None):
        """Runs `nim-arena ARGUMENTS` to its end, with the status if one is given. No process that it
        started may outlive it."""
        finished = self.end_of(self.start(ARENA, *arguments), status)
        self.assertEqual(self.offspring(), {}, "left behind")
        self.assertEqual(list(self.homes.iterdir()), [], "left behind")
        return finished

    def end_of(self, process, status=None):
        """What it writes up to its end, with the status if one is given."""
        out, err = process.communicate(timeout=PATIENCE)
        self.assertIn(status, (None, process.returncode), (out or b"") + (err or b""))
        return Finished(process.returncode, out, err)

    def match(self, *arguments, position="nim:3,4,5", games=4, movetime=60000, seed=1, status=None):
        if position:
            arguments = ("--position", position, *arguments)
        return self.arena("match", *arguments, "--games", games, "--movetime", movetime,
                          "--seed", seed, "--jsonl", "-", status=status)

    def assert_played(self, run, games, status=0):
        """All games, numbered, in pairs that swap the seats."""
        self.assertEqual(run.status, status, run.report())
        records = run.games()
        self.assertEqual([game["game"] for game in records], list(range(1, games + 1)),
                         run.report())
        self.assertEqual([game["pair"] for game in records],
                         [(n + 1) // 2 for n in range(1, games + 1)])
        for first, second in zip(records[::2], records[1::2]):
            self.assertEqual((first["p1"], first["p2"]), (second["p2"], second["p1"]))
            self.assertEqual(first["position"], second["position"])
        for game in records:
            self.assertEqual(len(game["moves"]), len(game["times_us"]))
        return records
