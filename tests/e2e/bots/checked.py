#!/usr/bin/env python3
"""Bots to be checked: python3 checked.py KIND. All play nim, each with one mistake of its own.

A mistake is a function of the table below, which takes the place of what the sound bot does at one
command. Unlike those of zoo.py, these know the rules: no legal moves are sent to them.
"""
import os
import signal
import sys
import time


def say(*lines):
    data = "".join(line + "\n" for line in lines).encode()
    while data:
        data = data[os.write(1, data):]


class State:
    heaps = [1, 3, 5, 7]
    pending = None  # the answer to `go infinite`


def read_heaps(words):
    heaps = []
    for component in words[2].split("+"):
        ruleset, _, numbers = component.rpartition(":")
        if ruleset not in ("", "nim"):
            raise ValueError("not nim")
        heaps += [int(number) for number in numbers.split(",")]
    return heaps


def play(heaps, moves):
    for move in moves:
        heap, left = move.split("=")
        heaps[int(heap) - 1] = int(left)


def some_move():
    for heap, stones in enumerate(State.heaps, 1):
        if stones > 0:
            return f"{heap}={stones - 1}"
    return "0000"


def number_after(words, name):
    return int(words[words.index(name) + 1])


# ---- what a sound bot does at each command; `words` is the line ----

def at_ugi(words):
    say("id name Checked", "ugiok")


def at_isready(words):
    say("readyok")


def at_position(words):
    try:
        heaps = [1, 3, 5, 7] if words[1] == "startpos" else read_heaps(words)
        play(heaps, words[words.index("moves") + 1:] if "moves" in words else [])
        State.heaps = heaps
    except (IndexError, ValueError):
        say("info string error cannot read this")


def at_moves(words):
    play(State.heaps, words[1:])


def at_go(words):
    if "infinite" in words:
        State.pending = some_move()
    elif "searchmoves" in words:
        say("bestmove " + words[words.index("searchmoves") + 1])
    else:
        say("bestmove " + some_move())


def at_stop(words):
    if State.pending:
        say("bestmove " + State.pending)
    State.pending = None


def at_quit(words):
    sys.exit()


def at_end():
    pass


SOUND = {"ugi": at_ugi, "isready": at_isready, "position": at_position, "moves": at_moves, "go": at_go,
         "stop": at_stop, "quit": at_quit, "end": at_end}
KINDS = {}


def instead_of(command):
    def enter(function):
        KINDS[function.__name__] = (command, function)
        return function
    return enter


@instead_of("nothing")
def sound(words):
    pass


# ---- no start ----

@instead_of("ugi")
def mute(words):
    while True:
        signal.pause()


@instead_of("ugi")
def leaves_at_once(words):
    os.write(2, b"no licence found\n")
    os._exit(9)


@instead_of("ugi")
def greets_another(words):
    say("id name Chess", "uciok")


# ---- output that stays in a buffer ----

def hold_back():
    """From now on, all output is buffered until the end, as in a C program that does not flush."""
    global say
    held = []

    def say(*lines):
        held.extend(lines)

    def let_go():
        os.write(1, "".join(line + "\n" for line in held).encode())

    SOUND["end"] = let_go


@instead_of("ugi")
def never_flushes(words):
    hold_back()
    at_ugi(words)


@instead_of("ugi")
def does_not_flush_moves(words):
    at_ugi(words)

    def go(words):
        SOUND["end"] = lambda: os.write(1, b"bestmove 1=0\n")

    SOUND["go"] = go


@instead_of("ugi")
def prints(words):
    """As most people write it: Python keeps the lines, unless PYTHONUNBUFFERED tells it not to."""
    global say

    def say(*lines):
        for line in lines:
            print(line)

    at_ugi(words)


# ---- other than it should ----

@instead_of("isready")
def never_ready(words):
    pass


@instead_of("uginewgame")
def plays_one_game(words):
    State.games = getattr(State, "games", 0) + 1
    if State.games > 1:
        os._exit(0)


@instead_of("go")
def capital_bestmove(words):
    say("bestMove " + some_move())


@instead_of("go")
def colon_after_bestmove(words):
    say("bestmove: " + some_move())


@instead_of("go")
def best_move_in_two_words(words):
    say("best move " + some_move())


@instead_of("go")
def blanks_in_its_move(words):
    say("bestmove " + some_move().replace("=", " = "))


@instead_of("position")
def takes_all_for_nim(words):
    State.heaps = [int(number) for number in words[2].rpartition(":")[2].split(",")]
    play(State.heaps, words[words.index("moves") + 1:] if "moves" in words else [])


@instead_of("position")
def forgets_the_moves(words):
    at_position(words[:words.index("moves")] if "moves" in words else words)


@instead_of("position")
def moves_at_position(words):
    at_position(words)
    say("bestmove " + some_move())
    SOUND["go"] = lambda words: None


@instead_of("setoption")
def dies_of_options(words):
    raise ValueError("unknown option")


@instead_of("go")
def never_moves(words):
    pass


@instead_of("go")
def moves_and_leaves(words):
    at_go(words)
    os._exit(4)


@instead_of("go")
def bestmove_alone(words):
    say("bestmove")


@instead_of("go")
def always_clears_heap_one(words):
    if "infinite" in words:
        State.pending = "1=0"
    else:
        say("bestmove 1=0" if any(State.heaps) else "bestmove 0000")


@instead_of("position")
def skips_empty_heaps(words):
    at_position(words)
    if any(State.heaps):
        State.heaps = [heap for heap in State.heaps if heap > 0]


@instead_of("position")
def forgets_the_moves(words):
    at_position(words[:words.index("moves")] if "moves" in words else words)


@instead_of("position")
def never_goes_back(words):
    """Adds only the new moves of the line to its position, as if play always continued."""
    fen, told = words[2:words.index("moves")] if "moves" in words else words[2:], len(words)
    if fen != getattr(State, "fen", None) or told > State.told:
        at_position(words)
    State.fen, State.told = fen, told


@instead_of("position")
def knows_no_startpos(words):
    if words[1] != "startpos":
        at_position(words)


@instead_of("position")
def has_a_small_buffer(words):
    at_position(" ".join(words)[:4096].rsplit(" ", 1)[0].split() if len(" ".join(words)) > 4096 else words)


@instead_of("go")
def dies_of_finished_games(words):
    assert any(State.heaps)
    at_go(words)


@instead_of("go")
def resigns(words):
    say("bestmove 0000")


@instead_of("go")
def overthinks_movetime(words):
    if "movetime" in words and number_after(words, "movetime") > 200:
        time.sleep(number_after(words, "movetime") * 5 / 1000)
    at_go(words)


@instead_of("go")
def looks_at_the_wrong_clock(words):
    if "p1time" in words:
        time.sleep(number_after(words, "p1time") / 1_800_000)
    at_go(words)


@instead_of("go")
def wants_a_time(words):
    if "infinite" not in words:
        number_after(words, "movetime" if "movetime" in words else "p1time")
    at_go(words)


@instead_of("stop")
def ignores_stop(words):
    pass


@instead_of("stop")
def answers_any_stop(words):
    say("bestmove " + (State.pending or "0000"))
    State.pending = None


@instead_of("go")
def answers_infinite_at_once(words):
    at_go([word for word in words if word != "infinite"])


@instead_of("ugi")
def wants_moves_and_ignores_them(words):
    say("option name LegalMoves type check default true", "ugiok")
    SOUND["go"] = lambda words: at_go([word for word in words if word != "searchmoves"])


@instead_of("ugi")
def lives_from_searchmoves(words):
    """The ten-line bot: it cannot handle `searchmoves` without moves."""
    say("option name LegalMoves type check default true", "ugiok")
    SOUND["go"] = lambda words: say("bestmove " + words[-1])
    SOUND["position"] = lambda words: None


@instead_of("ugi")
def reads_64_bytes_of_a_line(words):
    """As by fgets: the last word of what it has read is its move."""
    say("option name LegalMoves type check default true", "ugiok")

    def go(words):
        word = " ".join(words)[:63].rpartition(" ")[2]
        say("bestmove " + (word if "=" in word else "0000"))

    SOUND["go"] = go
    SOUND["position"] = lambda words: None


@instead_of("position")
def dies_of_other_rulesets(words):
    State.heaps = [1, 3, 5, 7] if words[1] == "startpos" else read_heaps(words)
    play(State.heaps, words[words.index("moves") + 1:] if "moves" in words else [])


@instead_of("position")
def dies_of_bad_positions(words):
    """Which the arena never sends. What it does not play it refuses."""
    if words[1] == "startpos" or all(part.startswith("nim:") for part in words[2].split("+")):
        dies_of_other_rulesets(words)
    else:
        say("info string error only nim")


@instead_of("position")
def dies_after_it_refused(words):
    try:
        dies_of_other_rulesets(words)
    except ValueError:
        say("info string error only nim")
        SOUND["go"] = lambda words: {}["heaps"]


@instead_of("position")
def dies_of_sums(words):
    """Of nim, too: it knows one list of heaps."""
    State.heaps = [1, 3, 5, 7]
    if words[1] != "startpos":
        ruleset, numbers = words[2].split(":")
        if ruleset != "nim":
            raise ValueError("not nim")
        State.heaps = [int(number) for number in numbers.split(",")]
    play(State.heaps, words[words.index("moves") + 1:] if "moves" in words else [])


@instead_of("position")
def hangs_at_other_rulesets(words):
    try:
        dies_of_other_rulesets(words)
    except ValueError:
        time.sleep(1000)


@instead_of("go")
def thinks_too_long(words):
    if "infinite" not in words:
        time.sleep(0.06)
    at_go(words)


@instead_of("ugi")
def thinks_far_too_long(words):
    """About each position of any ruleset."""
    say("option name LegalMoves type check default true", "ugiok")
    SOUND["position"] = lambda words: None
    SOUND["go"] = lambda words: time.sleep(0 if "infinite" in words else 0.3) or at_go(words)


@instead_of("go")
def prompts(words):
    say("Your move, sir:")
    at_go(words)


@instead_of("go")
def prompts_before_its_move(words):
    say("> bestmove " + some_move())


@instead_of("go")
def loops_for_ever(words):
    while True:
        pass


@instead_of("go")
def dies_at_the_third_go(words):
    State.asked = getattr(State, "asked", 0) + 1
    if State.asked == 3:
        raise KeyError("x")
    at_go(words)


@instead_of("go")
def dies_in_nim(words):
    """But for the first position that it is asked."""
    if State.heaps != [9, 5, 7]:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)
    at_go(words)


@instead_of("unknown")
def dies_of_unknown_commands(words):
    raise ValueError("unknown command")


@instead_of("go")
def answers_twice(words):
    at_go(words)
    if "infinite" not in words:
        at_go(words)


@instead_of("go")
def ponders(words):
    if "infinite" in words:
        at_go(words)
    else:
        say("bestmove " + some_move() + " ponder 1=0")


@instead_of("position")
def plays_take_alone(words):
    """take{1,3,4}, of which it takes one; everything else is refused."""
    if words[1:2] == ["fen"] and " ".join(words[2:]).startswith("take{1,3,4}:") and "+" not in words[2]:
        at_position([words[0], words[1], words[2].replace("take{1,3,4}", "nim"), *words[3:]])
    else:
        say("info string error only take{1,3,4}")


# ---- the end ----

@instead_of("quit")
def ignores_quit(words):
    pass


@instead_of("quit")
def crashes_at_quit(words):
    os.write(2, b"double free\n")
    signal.signal(signal.SIGABRT, signal.SIG_DFL)
    os.abort()


@instead_of("quit")
def complains_at_quit(words):
    os._exit(3)


@instead_of("end")
def lives_on_without_input():
    while True:
        signal.pause()


# ---- how lines are read ----

def by_blanks(line):
    return line.split()


def by_single_blanks(line):
    return line.strip().split(" ")


def with_carriage_returns(line):
    return line.removesuffix("\n").replace("\r", "\0").split()


SPLIT = {"splits_at_single_blanks": by_single_blanks, "keeps_carriage_returns": with_carriage_returns}


def main():
    kind = sys.argv[1]
    split = SPLIT.get(kind, by_blanks)
    command, own = KINDS.get(kind, ("nothing", None)) if kind not in SPLIT else ("nothing", None)
    SOUND[command] = own
    sys.stdin.reconfigure(newline="\n")
    while line := sys.stdin.readline():
        words = split(line)
        if not words:
            continue
        if words[0] in SOUND:
            SOUND[words[0]](words)
        elif "unknown" in SOUND and words[0] not in ("setoption", "uginewgame"):
            SOUND["unknown"](words)
    SOUND["end"]()


if __name__ == "__main__":
    main()
