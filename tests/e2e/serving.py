"""nim-arena serve, bots that dial in to it, and connect.py."""
import hashlib
import queue
import secrets
import socket
import ssl
import threading

from arena import *

CONNECT = (sys.executable, "-B", str(ROOT / "bots" / "connect.py"))
LISTENING = re.compile(r"listening on ([0-9.]+):(\d+)")


class Lines:
    """The output of a process, line by line, as it arrives."""

    def __init__(self, stream):
        self.lines, self.all = queue.Queue(), []
        threading.Thread(target=self.read, args=(stream,), daemon=True).start()

    def read(self, stream):
        try:
            for line in stream:
                self.lines.put(line.decode())
        except (OSError, ValueError):  # closed
            pass
        self.lines.put(None)

    def until(self, pattern):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            line = self.lines.get(timeout=max(0.1, deadline - time.monotonic()))
            if line is None:
                break
            self.all.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"no {pattern!r} in {self.all}")


def web_address(process):
    """Where a `nim-arena web` listens, by its first line."""
    line = process.stdout.readline().decode()
    found = re.search(r"listening on https?://([0-9.]+):(\d+)/", line)
    if not found:
        process.kill()
        raise AssertionError(line + process.stderr.read().decode())
    return found[1], int(found[2])


class Bot:
    """A client that plays the first legal move, or what a test says."""

    def __init__(self, address, context=None):
        self.socket = socket.create_connection(address, timeout=PATIENCE)
        if context:
            self.socket = context.wrap_socket(self.socket, server_hostname=address[0])
        self.file = self.socket.makefile("rb")

    def line(self):
        return self.file.readline().decode().strip()

    def say(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def join(self, secret, *more):
        assert self.line() == "ugi"
        self.say("id name Zed")
        self.say("option name LegalMoves type check default false")
        self.say("id token " + secret)
        for line in more:
            self.say(line)
        self.say("ugiok")
        return self

    def play_until(self, word="quit"):
        """Answers; returns the first line that begins with `word`, or "" at the end."""
        while line := self.line():
            if line.split()[0] == word:
                break
            if line == "isready":
                self.say("readyok")
            elif line.startswith("go"):
                self.say("bestmove " + line.split("searchmoves ")[1].split()[0])
        return line

    def play(self):
        threading.Thread(target=self.quietly, daemon=True).start()
        return self

    def quietly(self):
        try:
            self.play_until()
        except (OSError, ValueError):  # the connection, or the file, is closed
            pass

    def close(self):
        self.file.close()
        self.socket.close()


class ServeTest(ArenaTest):
    def setUp(self):
        super().setUp()
        self.tokens = self.folder / "tokens"
        self.record = self.folder / "record.db"

    def token(self, name):
        """A new secret, added to the file as `nim-arena token add` does, in a hundredth of its time."""
        secret = secrets.token_hex(16)
        file = os.open(self.tokens, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(file, f"{hashlib.sha256(secret.encode()).hexdigest()} {name}\n".encode())
        os.close(file)
        return secret

    def token_file(self, name):
        """A file with a new secret, as connect.py wants it."""
        path = self.folder / f"{name}.txt"
        path.write_text(self.token(name))
        path.chmod(0o600)
        return path

    def add_token(self, name, *words):
        made = subprocess.run([ARENA, "token", "add", name, "--tokens", self.tokens, *words],
                              capture_output=True, timeout=PATIENCE, check=True)
        return made.stdout.decode().strip()

    def serve(self, *options, position="nim:3,4,5"):
        where = () if "--listen" in options else ("--listen", "127.0.0.1:0")
        self.server = self.start(ARENA, "serve", *where, "--tokens", self.tokens,
                                 "--record", self.record, "--position", position,
                                 "--seed", 1, "--analysis", 0, *options)
        self.said = Lines(self.server.stdout)
        found = self.said.until(LISTENING)
        return found[1], int(found[2])

    def bot(self, address):
        bot = Bot(address)
        self.addCleanup(bot.close)
        return bot

    def games(self):
        """Recorded games: the names of p1 and p2, the winner's, the reason."""
        if not self.record.exists():
            return []
        return self.recorded("SELECT game.winner, game.reason FROM game ORDER BY rowid")

    def recorded(self, query):
        with contextlib.closing(sqlite3.connect(f"file:{self.record}?mode=ro", uri=True)) as record:
            return record.execute(query).fetchall()

    def stop(self, status=143):
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(PATIENCE), status, self.said.all)

    def await_games(self, number):
        self.wait_until(lambda: len(self.games()) >= number)
