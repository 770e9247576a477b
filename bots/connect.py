#!/usr/bin/env python3
"""Usage: python connect.py HOST:PORT --token-file FILE [OPTION]... COMMAND...

Connects a bot that speaks over standard input and output to `nim-arena serve`, from Linux, macOS
or Windows. Starts COMMAND for each connection, sends the token in its handshake, and dials again
when the connection ends, after a pause that grows with each try. Prints on stderr what changes: for
whom the server waits, how games end (of many about one a second), that the connection is lost;
the stderr of the bot goes there, too.

Options:
  --token-file FILE  the file with the token that whoever runs the server gave you; required
  --tls              use TLS; the server's certificate is verified
  --ca FILE          a PEM file of certificates that are trusted (default: those of the system)
  --pin SHA256       use TLS, and trust the one certificate that has this SHA-256
  --help             print this

Examples:
  python connect.py arena.example.org:7000 --tls --token-file ann.token python nim_bot.py
  python connect.py 192.0.2.7:7000 --pin 3F:…:9A --token-file ann.token ./nim_bot

Exit status:
  0        the server has ended the contest, or the visit to a clinic
  1        the bot cannot be started, or fails in its handshake several times in a row
  2        the command line is wrong
  3        the server refuses the token or another visit, or its certificate is not trusted
  130/143  interrupted
"""
# One file, Python 3.9 and its standard library alone; in syntax that Python 3.6 reads, so that an
# older one says that it is too old. A thread reads the server and writes to the bot
# (Session.pass_to_bot); another reads the bot and writes to the server (pass_to_server), since
# Windows has no select() on pipes. The main thread only waits, since on Windows a thread that is
# blocked in a call never learns of CTRL+C. The bot is started anew for each connection, so it needs
# no code for a second handshake.
#
# An SSL object must not be used by two threads at once, and a lock around a socket that waits for
# the server would block the writer. So TLS works in memory (Wire), and the lock is held only there.
import hashlib
import ipaddress
import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time

WINDOWS = os.name == "nt"
DIAL_TIME = 15  # seconds, as all times here
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30
MOST_FAILED_STARTS = 3  # of the bot, in a row
LEAVE = 1  # for the bot to exit
LAST_WORDS = 2  # for the server to read the last lines of the bot
STALLED = 60  # for a bot that reads nothing
RESULTS_PAUSE = 1  # between the results of many games, unless one ends by a fault
RESULTS_AHEAD = 3  # how far they may run ahead of that pace: four come at once
LONGEST_LINE = 1 << 20
# Refusals that another try would meet, too.
FINAL = ("token:", "name:", "late:", "limit:", "tls:", "replaced:")
WHICH_PORT = "is it the port of nim-arena serve, not of its pages?"
NO_HANDSHAKE = "handshake:"  # the bot did not end it, or wrote something else
PLAYED_OUT = ("no-moves", "repetition")  # all other ends are faults
REASONS = {
    "no-moves": "no moves were left", "illegal-move": "an illegal move", "timeout": "out of time",
    "disconnected": "the connection was lost", "protocol": "a line that breaks the protocol",
    "startup": "the bot did not start", "off-turn": "thinking while the opponent was to move",
}


class BadInput(Exception):
    """What was read, what was expected, what to do."""


class Untrusted(Exception):
    """The server is not the one that was meant: no token may be sent to it."""


# ---- what differs between systems ----

def shown(command):
    """The command as its user would type it."""
    return subprocess.list2cmdline(command) if WINDOWS else shlex.join(command)


def runnable(command):
    """The command as the system can start it: Windows does not read the first line of a script."""
    program = shutil.which(command[0])
    if command[0] in ("python", "python3", "py") and (program is None or "WindowsApps" in program):
        program = sys.executable  # the one of WindowsApps may only offer to install Python
    if program is None and WINDOWS and os.path.isfile(command[0] + ".exe"):
        program = command[0] + ".exe"  # which() looks for it beside a path from Python 3.12 on
    if program is None and not os.path.isfile(command[0]):
        more = "; leave out the quotes around a command of several words"
        raise BadInput(f"cannot start {shown(command)}: found no program {quoted(command[0])}; "
                       f"expected the name of one, or its path{more if ' ' in command[0] else ''}. "
                       f"This Python is {quoted(sys.executable)}")
    if command[0].lower().endswith(".py") and (WINDOWS or program is None):
        return [sys.executable, *command]
    return [program or command[0], *command[1:]]


def spawn_options():
    """A group of its own, so that CTRL+C reaches this program only."""
    if WINDOWS:
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def bot_environment():
    more = {"PYTHONUNBUFFERED": "1"}
    if WINDOWS:  # pipes have the code page of the system there, and names may have any letters
        more["PYTHONIOENCODING"] = os.environ.get("PYTHONIOENCODING", "utf-8")
    return {**os.environ, **more}


def end_tree(bot):
    """Ends the bot and what it has started."""
    if WINDOWS:
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(bot.pid)], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return bot.kill()
    try:
        os.killpg(bot.pid, signal.SIGKILL)
    except OSError:  # all have ended
        pass


def ending(status):
    """How a process ended, in words."""
    if status is None:
        return "does not end"
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    number = hex(status) if status > 255 else status  # Windows: 0xc0000005, a wild pointer
    return f"ended with exit status {number}"


# ---- words ----

def quoted(text):
    return "'" + printable(text) + "'"


def printable(text):
    return "".join(c if c.isprintable() else "?" for c in text)


def say(text):
    show(sys.stderr, f"connect.py: {text}\n")


def show(stream, text):
    """Prints, whatever the console can show."""
    try:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except (OSError, ValueError, AttributeError):  # nobody reads it
        pass


class Told:
    """What the notices of the server say, in plain words."""

    def __init__(self):
        self.counts = {"won": 0, "lost": 0, "drew": 0}
        self.next_result = 0
        self.end = {}  # the last notice: it also counts games that ended while the bot was away

    def so_far(self):
        return ", ".join(f"{word} {count}" for word, count in self.counts.items()
                         if count or word != "drew")

    def words(self, notice, now):
        """None: a result that only counts, so soon after others, or what the end needs."""
        event = notice["event"]
        if event == "connected":
            more = notice["awaited"]
            whom = "a game" if more == 0 else "an opponent" if more == 1 else f"{more} more"
            return f"connected as {notice['name']}, waiting for {whom}"
        if event in ("visit-over", "contest-over"):
            self.end = notice
        if event != "game":
            return None
        did = "drew" if notice["result"] == "drawn" else notice["result"]
        reason = notice["reason"]
        more = f": {notice['detail']}" if "detail" in notice else ""
        self.counts[did] += 1
        if reason in PLAYED_OUT:
            if now < self.next_result - RESULTS_AHEAD:
                return None
            self.next_result = max(now, self.next_result) + RESULTS_PAUSE
        return (f"you {did} against {notice['opponent']}: {REASONS.get(reason, reason)}{more} "
                f"(game {notice['game']}); told so far: {self.so_far()}")

    def last_words(self):
        end = self.end
        what = ("the server has stopped before the end of the contest" if "interrupted" in end
                else "the visit is over" if end.get("event") == "visit-over"
                else "the contest is over")
        return (what
                + (f": won {end['won']} of {end['games']}" if end.get("games") else "")
                + (f", drew {end['drawn']}" if end.get("drawn") else "")
                + (f"; its report is on {end['report']}" if "report" in end else ""))


# ---- the command line ----

class Options:
    """The command line: `--key value` or `--key=value`, the address, then the command."""

    def __init__(self, words):
        self.host, self.port, self.command = None, None, []
        self.token_file = self.ca = self.pin = None
        self.tls = False
        words = list(words)
        while words:
            word = words.pop(0)
            if word == "--" or (self.host is not None and not word.startswith("-")):
                self.command = words if word == "--" else [word, *words]
                break
            if word.startswith("-"):
                self.take_option(word, words)
            else:
                self.host, self.port = endpoint(word)
        self.finish()

    def take_option(self, word, words):
        key, equals, value = word.partition("=")
        if key == "--tls" and not equals:
            self.tls = True
            return
        if key not in ("--token-file", "--ca", "--pin"):
            raise BadInput(f"read {quoted(word)}, expected --token-file FILE, --tls, --ca FILE or "
                           "--pin SHA256; the bot's command comes last")
        if not equals:
            value = words.pop(0) if words else ""
        if not value:
            raise BadInput(f"read {key} without a value, expected one after it")
        setattr(self, key[2:].replace("-", "_"), value)

    def finish(self):
        if self.host is None:
            raise BadInput("expected HOST:PORT, the address of the server")
        if self.token_file is None:
            if any(word.startswith("--token-file") for word in self.command):
                raise BadInput("read --token-file after the bot's command, expected it before")
            raise BadInput("expected --token-file FILE, the file with your token")
        if not self.command:
            raise BadInput("expected the bot's COMMAND at the end, such as: python nim_bot.py")
        if self.pin is not None:
            pin = self.pin.lower().replace(":", "")
            if not re.fullmatch("[0-9a-f]{64}", pin):
                raise BadInput(f"--pin: read {quoted(self.pin)}, expected 64 hexadecimal digits: "
                               "copy them from your invitation")
            if self.ca is not None:
                raise BadInput("read --pin and --ca, expected one of them")
            self.pin, self.tls = pin, True
        if self.ca is not None and not self.tls:
            raise BadInput("--ca is for --tls alone: add --tls")
        self.token = read_token(self.token_file)
        self.context = trust(self)


def endpoint(word):
    found = re.fullmatch(r"(?:\[([^][]+)\]|([^:]+)):([0-9]{1,5})", word)
    if not found or not 0 < int(found[3]) < 65536:
        raise BadInput(f"read {quoted(word)}, expected HOST:PORT, such as arena.example.org:7000")
    return found[1] or found[2], int(found[3])


def decoded(data):
    """Text as Windows' editors and shells write it, too: UTF-16, or UTF-8 with a mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def read_token(path):
    try:
        with open(path, "rb") as file:
            text = decoded(file.read(4096))
            if not WINDOWS and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                say(f"warning: others may read {quoted(path)}: expected chmod 600")
    except OSError as error:
        more = f"; there is {quoted(path)}.txt" if os.path.isfile(path + ".txt") else ""
        raise BadInput(f"cannot read {quoted(path)}: {error.strerror}{more}; expected the file with "
                       "your token") from error
    words = text.split()
    if len(words) != 1 or not words[0].isascii() or not words[0].isprintable():
        raise BadInput(f"{quoted(path)}: expected one word, the token that whoever runs the server "
                       "gave you")
    return words[0]


def trust(options):
    """Whom TLS trusts; None: no TLS."""
    if not options.tls:
        return None
    try:
        context = ssl.create_default_context(cafile=options.ca)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read certificates of {quoted(options.ca)}: {error}; expected a PEM "
                       "file") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if options.pin:  # compared after the handshake, before anything is sent
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def remedy(code, options):
    """What to do about a certificate that is not trusted; `code` is OpenSSL's."""
    ask = "ask who runs it for the certificate's SHA-256 and say --pin SHA256"
    if code in (9, 10):  # not yet valid, expired
        return "is this computer's clock right? Else the server needs a new certificate"
    if code in (62, 64):  # for another name, or address
        return f"dial the name that the certificate is for, or {ask}"
    if options.ca or options.pin:
        return ask
    return ("ask who runs it for its certificate and say --ca FILE, or for the certificate's "
            "SHA-256 and say --pin SHA256")


# ---- the connection ----

class Wire:
    """A connection to the server, with TLS or without: one thread receives, another sends."""

    def __init__(self, options):
        self.socket = socket.create_connection((options.host, options.port), DIAL_TIME)
        self.tls = None
        self.send_lock, self.tls_lock = threading.Lock(), threading.Lock()  # in this order
        try:
            set_socket_options(self.socket)
            self.is_here = is_here(self.socket)
            if options.context:
                self.shake_hands(options)
            self.socket.settimeout(None)
        except BaseException:
            self.socket.close()
            raise

    def shake_hands(self, options):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = options.context.wrap_bio(self.incoming, self.outgoing,
                                            server_hostname=options.host)
        timer = threading.Timer(DIAL_TIME, self.close)  # for the whole, not for each byte
        timer.daemon = True
        timer.start()
        try:
            while not self.shook_hands():
                data = self.socket.recv(65536)
                if not data:
                    raise OSError("the TLS handshake failed: the connection ended")
                self.incoming.write(data)
        except ssl.SSLCertVerificationError as error:
            raise Untrusted(f"its certificate is not trusted: {error.verify_message}") from error
        except ssl.SSLError as error:
            why = (error.reason or str(error)).replace("_", " ").lower()
            if error.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
                why = "it does not speak TLS"
            raise OSError(f"the TLS handshake failed: {why}") from error
        finally:
            timer.cancel()
        if options.pin:
            has = hashlib.sha256(self.tls.getpeercert(binary_form=True)).hexdigest()
            if has != options.pin:
                raise Untrusted(f"its certificate has the SHA-256 {has}, expected {options.pin}")

    def shook_hands(self):
        try:
            self.tls.do_handshake()
            return True
        except ssl.SSLWantReadError:
            return False
        finally:  # also the alert that says why it fails
            self.socket.sendall(self.outgoing.read())

    def send(self, data):
        with self.send_lock:
            if self.tls:
                with self.tls_lock:
                    self.tls.write(data)
                    data = self.outgoing.read()
            self.socket.sendall(data)

    def receive(self):
        """The next bytes; none at the end."""
        if not self.tls:
            return self.socket.recv(65536)
        while True:
            with self.tls_lock:
                try:
                    return self.tls.read(65536)
                except ssl.SSLWantReadError:
                    has_to_send = self.outgoing.pending > 0
                except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                    return b""
            if has_to_send:  # such as new keys
                self.flush()
            data = self.socket.recv(65536)
            with self.tls_lock:
                self.incoming.write(data) if data else self.incoming.write_eof()

    def flush(self):
        with self.send_lock:
            with self.tls_lock:
                data = self.outgoing.read()
            self.socket.sendall(data)

    def end_sending(self):
        """What was sent arrives; the server may still send."""
        try:
            if self.tls:
                with self.tls_lock:
                    try:
                        self.tls.unwrap()
                    except ssl.SSLError:  # it waits for the server's answer
                        pass
                self.flush()
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)  # wakes the threads that wait for it
        except OSError:
            pass
        self.socket.close()


def set_socket_options(connection):
    """Moves leave at once, and a dead connection is noticed within two minutes."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPALIVE", 30), ("TCP_KEEPINTVL", 10),
                        ("TCP_KEEPCNT", 6), ("TCP_USER_TIMEOUT", 90_000)):
        if hasattr(socket, name):  # TCP_KEEPALIVE is the name of TCP_KEEPIDLE on macOS
            try:
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
            except OSError:
                pass


class Session:
    """One connection from `ugi` to its end, and the bot that was started for it."""

    def __init__(self, wire, options, told):
        self.wire, self.token, self.told = wire, options.token, told
        self.bot = subprocess.Popen(runnable(options.command), stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, env=bot_environment(),
                                    **spawn_options())
        self.ended, self.server_gone = threading.Event(), threading.Event()
        self.lock = threading.Lock()  # of these two
        self.kind = self.why = None
        self.was_greeted = self.was_admitted = self.bot_shook_hands = False
        self.was_sent_quit = False  # then whatever ends first is no failure
        self.bot_reads = True  # a bot that reads no more may still answer
        self.writing_since = None

    def run(self, on_silence):
        """Returns how it ended: 'over', 'refused', 'server', 'bot' or 'interrupted'. Calls on_silence
        while the server has not said a word."""
        threads = [threading.Thread(target=target, daemon=True)
                   for target in (self.pass_to_bot, self.pass_to_server)]
        try:
            for thread in threads:
                thread.start()
            while not self.ended.wait(STALLED / 4):
                if not self.was_greeted:  # no end: at listen:// a game may begin much later
                    on_silence()
                since = self.writing_since  # read once: the other thread unsets it
                if since and time.monotonic() - since > STALLED:
                    self.end("server", f"the bot has read nothing for {STALLED} s")
            # On a thread, since a full pipe would block it.
            threading.Thread(target=self.close_input, daemon=True).start()
            self.wait_for_bot()
        finally:  # also where the system has no thread left
            end_tree(self.bot)
        self.wait_for_bot()
        threads[1].join(LEAVE)  # what the bot has written is sent
        self.wire.end_sending()
        self.server_gone.wait(LAST_WORDS)
        self.wire.close()
        return self.kind

    def end(self, kind, why=""):
        """Only the first reason counts."""
        with self.lock:
            if self.kind is None:
                self.kind, self.why = "over" if self.was_sent_quit else kind, why
        self.ended.set()

    def pass_to_bot(self):
        why = "the server closed the connection"
        buffer = b""
        try:
            for data in iter(self.wire.receive, b""):
                *lines, buffer = (buffer + data).split(b"\n")
                for line in lines:
                    self.hear(line)
                if len(buffer) > LONGEST_LINE:
                    why = "the server sent a line of more than a mebibyte: is it nim-arena serve?"
                    break
        except (OSError, ValueError, LookupError, TypeError) as error:  # of a wrong notice, too
            why = f"the connection was lost: {error}"
        self.server_gone.set()
        self.end("server", why)

    def hear(self, line):
        if self.kind:
            return
        self.was_greeted = True
        word = line.split(maxsplit=1)[0] if line.strip() else b""
        if word in (b"refused", b"info"):
            rest = line.decode("utf-8", "replace").strip().partition(" ")[2].strip()
            if word == b"refused":
                return self.end("refused", printable(rest))
            kind, _, words = rest.partition(" ")
            if kind == "notice":
                words = self.told.words(json.loads(words), time.monotonic())
            return say(printable(words.strip())) if words else None
        if word == b"isready" and self.bot_shook_hands:
            self.was_admitted = True  # by its token; the server may yet refuse it
        self.was_sent_quit |= word == b"quit"
        if self.bot_reads:
            try:
                self.writing_since = time.monotonic()
                self.bot.stdin.write(line.rstrip(b"\r") + b"\n")
                self.bot.stdin.flush()
                self.writing_since = None
            except (OSError, ValueError):
                self.bot_reads = False
        if self.was_sent_quit:
            self.end("over")

    def pass_to_server(self):
        is_rest = False  # of a line that is too long
        try:
            for line in iter(lambda: self.bot.stdout.readline(LONGEST_LINE), b""):
                is_whole = line.endswith(b"\n")
                is_dropped = is_rest or not is_whole and len(line) == LONGEST_LINE
                is_rest = is_dropped and not is_whole
                if is_dropped:
                    continue
                line = line.rstrip(b"\r\n") + b"\n"
                if not self.bot_shook_hands and line.split()[:1] == [b"ugiok"]:
                    line = b"id token %s\nid notices on\n" % self.token.encode() + line
                    self.bot_shook_hands = True
                self.wire.send(line)
        except (OSError, ValueError) as error:
            self.server_gone.wait(LAST_WORDS)  # the server may have said why
            return self.end("server", f"the connection was lost: {error}")
        self.end("bot")

    def wait_for_bot(self):
        try:
            self.bot.wait(LEAVE)
        except subprocess.TimeoutExpired:
            pass

    def close_input(self):
        try:
            self.bot.stdin.close()
        except OSError:
            pass


class Connector:
    """Dials until another try is useless."""

    def __init__(self, options):
        self.options = options
        self.told = Told()
        self.troubles = set()  # said since the last connection: what repeats is no news
        self.is_warned = False
        self.session, self.is_interrupted = None, False
        self.lock = threading.Lock()  # of these two
        self.done, self.status = threading.Event(), 1

    def run(self):
        try:
            self.status = self.connect()
        except BadInput as error:
            say(error)
        finally:
            self.done.set()

    def connect(self):
        pause, failed_starts = FIRST_PAUSE, 0
        while True:
            session = self.dial()
            if isinstance(session, int):
                return session
            if session:
                kind = session.run(self.tell_silence)
                if session.was_admitted and kind != "refused":
                    pause = FIRST_PAUSE
                    self.troubles.clear()
                status = self.conclude(session, kind)
                if status is not None:
                    return status
                if session.why.startswith(NO_HANDSHAKE):
                    failed_starts += 1
                elif session.bot_shook_hands:
                    failed_starts = 0
                elif kind == "bot":
                    failed_starts += 1
                if failed_starts >= MOST_FAILED_STARTS:
                    say(f"{shown(self.options.command)} failed in its handshake {failed_starts} "
                        "times in a row: start it by hand, and type ugi")
                    return 1
            # Random, so that bots that lost the server together do not return together.
            self.done.wait(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, LONGEST_PAUSE)

    def trouble(self, text, then="trying again"):
        if text not in self.troubles:
            self.troubles.add(text)
            say(f"{text}; {then}")

    def tell_silence(self):
        self.trouble(f"the server says nothing: {WHICH_PORT}", "waiting")

    def dial(self):
        """A session; None: another try may help; an exit status: it will not."""
        where = f"{self.options.host}:{self.options.port}"
        try:
            wire = Wire(self.options)
        except Untrusted as error:
            say(f"the TLS handshake failed: {error}")
            say(f"expected a server that proves to be {where}: "
                + remedy(getattr(error.__cause__, "verify_code", None), self.options))
            if sys.platform == "darwin" and not (self.options.ca or self.options.pin):
                say("a Python of python.org trusts nobody before its 'Install Certificates.command' "
                    "was run: see the folder of Python in Applications")
            return 3
        except (OSError, ValueError, UnicodeError) as error:
            self.trouble(f"cannot connect to {where}: {error}")
            return None
        if not self.options.context and not wire.is_here and not self.is_warned:
            self.is_warned = True
            say("warning: without --tls whoever is on the way can read your token")
        with self.lock:
            if self.is_interrupted:
                return 1
            try:
                self.session = Session(wire, self.options, self.told)
            except OSError as error:
                say(f"cannot start {shown(self.options.command)}: {error.strerror or error}")
                return 1
            return self.session

    def conclude(self, session, kind):
        """Says how the session ended. Returns the exit status if another try is useless."""
        if kind == "over":
            if "interrupted" not in self.told.end:
                say(printable(self.told.last_words()))
                return 0
            self.trouble(printable(self.told.last_words()))
        if kind == "refused":
            if session.why.startswith(FINAL):
                say(f"the server refuses: {session.why}")
                return 3
            self.trouble(f"the server refuses: {session.why}")
        if kind == "bot":
            self.trouble(f"{shown(self.options.command)} {ending(session.bot.poll())}")
        if kind == "server":
            hint = ""
            if not session.was_greeted:
                hint = f" without a word: {WHICH_PORT}"
                if not self.options.tls:
                    hint += " Or does it speak TLS? Then say --tls"
            self.trouble(session.why + hint)
        return 1 if kind == "interrupted" else None

    def interrupt(self):
        """Ends a connection in order; a dial or a pause is dropped."""
        with self.lock:
            self.is_interrupted = True
        if self.session:
            self.session.end("interrupted")
            if not self.done.wait(2 * LEAVE + LAST_WORDS):  # on a machine too busy for these times
                end_tree(self.session.bot)


def is_here(connection):
    address = connection.getpeername()[0].partition("%")[0]
    return ipaddress.ip_address(address).is_loopback


def main(words):
    if not words or {"--help", "-h", "help"} & set(words[:1]):
        show(sys.stdout if words else sys.stderr, __doc__)
        return 0 if words else 2
    try:
        options = Options(words)
        runnable(options.command)
    except BadInput as error:
        say(error)
        return 1 if str(error).startswith("cannot start") else 2
    # Noted only: an exception in the middle of a wait could leave a lock held.
    caught = []
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, frame: caught.append(number))
    connector = Connector(options)
    threading.Thread(target=connector.run, daemon=True).start()
    while not caught and not connector.done.wait(0.2):
        pass
    if not caught:
        return connector.status
    connector.interrupt()
    return 128 + caught[0]


if __name__ == "__main__":
    if sys.version_info < (3, 9):
        sys.exit(f"connect.py: this is Python {sys.version.split()[0]}, expected 3.9 or later")
    # At once: threads may be blocked in calls that nothing ends.
    os._exit(main(sys.argv[1:]))
