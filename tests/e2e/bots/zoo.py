#!/usr/bin/env python3
"""A zoo of bad and odd bots: python3 zoo.py KIND [ARGUMENT].

All play the first legal move that the arena names, but each does one thing in its own way: a
function below takes the place of what a decent bot does at one command.
"""
import os
import signal
import sys
import time


def write(data, to=1):
    data = data if isinstance(data, bytes) else data.encode()
    while data:
        data = data[os.write(to, data):]


def say(*lines):
    write("".join(line + "\n" for line in lines))


def hold_still():
    while True:
        signal.pause()


def write_to_fifo():
    with open(ARGUMENT, "w") as fifo:
        fifo.write("alive\n")


def first_legal(go):
    return go[go.index("searchmoves") + 1]


def introduce(name=b"Zoo"):
    write(b"id name " + name + b"\n")
    say("option name LegalMoves type check default false", "ugiok")


# ---- what a decent bot does at each command; `words` is the line ----

def at_ugi(words):
    introduce()


def at_isready(words):
    say("readyok")


def at_go(words):
    say("bestmove " + first_legal(words))


def at_quit(words):
    sys.exit()


DECENT = {"ugi": at_ugi, "isready": at_isready, "go": at_go, "quit": at_quit}
ZOO = {}
ARGUMENT = sys.argv[2] if len(sys.argv) > 2 else ""


def instead_of(command):
    def enter(function):
        ZOO[function.__name__] = (command, function)
        return function
    return enter


@instead_of("nothing")
def decent(words):
    pass


# ---- bad: no move ----

@instead_of("go")
def hang(words):
    if ARGUMENT:  # a FIFO, to say so
        write_to_fifo()
    hold_still()


@instead_of("go")
def drip(words):
    while True:
        say("info string still thinking")
        time.sleep(0.01)


@instead_of("go")
def garbage(words):
    write(bytes(range(256)) * 16 + b"\nbestmoves 1=0\nBESTMOVE 1=0\ninfo bestmove 1=0\n")
    hold_still()


@instead_of("go")
def half_a_line(words):
    write("bestmove " + first_legal(words))
    hold_still()


@instead_of("isready")
def never_reads(words):
    say("readyok")
    hold_still()


# ---- bad: gone ----

def die():
    number = signal.Signals[ARGUMENT]
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@instead_of("go")
def crash(words):
    write("about to crash\n", to=2)
    die()


@instead_of("go")
def exit_before_a_move(words):
    os._exit(5)


@instead_of("go")
def exit_in_a_move(words):
    write("info depth 1\nbestmove " + first_legal(words)[:2])
    os._exit(6)


@instead_of("go")
def exit_after_a_move(words):
    at_go(words)
    os._exit(0)


@instead_of("go")
def exit_after_half_a_line(words):
    write("bestmove " + first_legal(words))
    os._exit(0)


@instead_of("go")
def closes_stdout(words):
    os.close(1)
    hold_still()


@instead_of("go")
def leaves_a_child(words):
    """The child keeps the pipes open."""
    if os.fork() == 0:
        hold_still()
    os._exit(3)


# ---- bad: no start ----

@instead_of("ugi")
def exit_in_handshake(words):
    write("no licence found\n", to=2)
    os._exit(9)


@instead_of("ugi")
def crash_in_handshake(words):
    die()


@instead_of("ugi")
def silent_handshake(words):
    hold_still()


@instead_of("ugi")
def endless_handshake(words):
    while True:
        say("info string loading")
        time.sleep(0.01)


@instead_of("isready")
def never_ready(words):
    hold_still()


@instead_of("ugi")
def starts_once(words):
    """Only who creates the file ARGUMENT starts; it breaks down at its first move."""
    try:
        os.close(os.open(ARGUMENT, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        os._exit(1)
    DECENT["go"] = exit_before_a_move
    introduce()


# ---- bad: what it says ----

@instead_of("go")
def answers(words):
    """ARGUMENT, whatever it is asked."""
    say(ARGUMENT)


@instead_of("go")
def endless_line(words):
    while True:
        write(b"info string " + b"x" * 65536)


@instead_of("go")
def long_line(words):
    write(b"info string " + b"x" * (1 << 20) + b"\n")
    at_go(words)


@instead_of("go")
def floods_lines(words):
    while True:
        write(b"info\n" * 10000)


@instead_of("go")
def floods_bytes(words):
    while True:
        write(b"info string " + b"x" * 60000 + b"\n")


# ---- odd, but innocent ----

@instead_of("go")
def carriage_returns(words):
    write("info depth 1\r\nbestmove " + first_legal(words) + "\r\n")


@instead_of("go")
def blanks(words):
    say("", "   ", " \t bestmove \t " + first_legal(words) + " \t ")


@instead_of("go")
def ponders(words):
    say("bestmove " + first_legal(words) + " ponder 2=1 and more")


@instead_of("go")
def two_bestmoves(words):
    say("bestmove " + first_legal(words), "bestmove 99=99")


@instead_of("isready")
def bestmove_unasked(words):
    say("bestmove 99=99", "readyok")


@instead_of("go")
def garbage_before_a_move(words):
    write(bytes(range(256)) * 16 + b"\nbestmoves 9=9\nBESTMOVE 9=9\ninfo bestmove 9=9\n\0\n")
    at_go(words)


@instead_of("go")
def many_lines_before_a_move(words):
    write(b"info depth 1\n" * 90000)
    at_go(words)


@instead_of("go")
def byte_by_byte(words):
    for byte in "bestmove " + first_legal(words) + "\n":
        write(byte)


@instead_of("quit")
def ignores_quit(words):
    hold_still()


@instead_of("ugi")
def ignores_quit_and_sigterm(words):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    DECENT["quit"] = lambda words: hold_still()
    introduce()


@instead_of("ugi")
def starts_slowly(words):
    time.sleep(1)
    introduce()


@instead_of("ugi")
def strange_name(words):
    introduce(b"N\0 \x1b[1m \xff \xc3\xa4 \xe2\x80\xae")


@instead_of("go")
def strange_stderr(words):
    write(b"\x1b]0;title\x07 \xff\xfe \0 \xc3\xa4\n", to=2)
    os._exit(7)


@instead_of("go")
def floods_stderr(words):
    write(b"grumble " * (1 << 20) + b"\n", to=2)
    at_go(words)


def daemonize():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 100)
            hold_still()
        os._exit(0)


@instead_of("ugi")
def daemonizes(words):
    daemonize()
    introduce()


@instead_of("ugi")
def whole_family(words):
    """A child, a daemon, a shell with its own; then it says so on the FIFO ARGUMENT."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        hold_still()
    daemonize()
    os.system("sleep 1000 & sleep 1000 &")
    write_to_fifo()
    introduce()


@instead_of("ugi")
def leaves_a_file(words):
    with open(ARGUMENT, "w"):
        pass
    introduce()


def main():
    command, own = ZOO[sys.argv[1]]
    DECENT[command] = own
    while line := sys.stdin.readline():
        words = line.split()
        if words and words[0] in DECENT:
            DECENT[words[0]](words)


if __name__ == "__main__":
    main()
