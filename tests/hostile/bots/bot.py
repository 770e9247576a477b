"""What a decent bot does at each command: it plays the first legal move that the arena names. Each
bad bot of this folder does one thing in its own way: run(go=…) is what it does at `go`.
"""
import os
import sys
import time

ARGUMENT = sys.argv[1] if len(sys.argv) > 1 else ""


def write(data, to=1):
    data = data if isinstance(data, bytes) else data.encode()
    while data:
        data = data[os.write(to, data):]


def say(*lines):
    write("".join(line + "\n" for line in lines))


def repeat(data, to=1):
    while True:
        write(data, to)


def hold_still():
    while True:
        time.sleep(10 ** 6)


def die(number):
    """As by a crash, whatever Python has made of that signal."""
    import signal  # a third of the time in which a bot starts
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def tell_fifo():
    """Reports on the FIFO ARGUMENT that it has reached this point."""
    with open(ARGUMENT, "w") as fifo:
        fifo.write("alive\n")


def daemonize():
    """Continues in a grandchild with its own session; returns True there."""
    if os.fork() > 0:
        return False
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
    return True


def first_legal(go):
    return go[go.index("searchmoves") + 1]


def introduce(name=b"Zoo"):
    write(b"id name " + name + b"\n")
    say("option name LegalMoves type check default false", "ugiok")


def play(go):
    say("bestmove " + first_legal(go))


def run(**instead):
    """`words`: the line, whose first word is the command."""
    do = {"ugi": lambda words: introduce(), "isready": lambda words: say("readyok"), "go": play,
          "quit": lambda words: sys.exit()} | instead
    while line := sys.stdin.readline():
        words = line.split()
        if words and words[0] in do:
            do[words[0]](words)
