"""The rules of every ruleset, and the winner: a second implementation of protocol/doc/notation.md.

Shares no code with the engine and knows no theory: moves are listed as the specification says, and
positions are decided by going back from the ends of play. Slow, for small positions.

A heap is an int, a tuple of ints or (a vertex) a str.
"""
import functools
import itertools
import math
import re

NAMES = {
    "kayles": "octal{0.77}", "dawson-kayles": "octal{0.07}", "dawson-chess": "octal{0.137}",
    "treblecross": "octal{0.007}", "officers": "octal{0.6}",
}


@functools.lru_cache(maxsize=None)
def ruleset(text):
    """The function from a heap to the set of its results, each a sorted tuple of heaps."""
    text = NAMES.get(text, text)
    name, _, parameters = text.partition("{")
    moves = MAKERS[name](parameters[:-1])
    keeps_zeros = name in ("graph", "rules")
    keeps_order = name in ("cram", "notakto")

    @functools.lru_cache(maxsize=None)
    def results(heap):
        canonical = set()
        for heaps in moves(heap):
            if not keeps_zeros:
                heaps = [h for h in heaps if h != 0] or [0]
            canonical.add(tuple(heaps if keeps_order else sorted(heaps)))
        return frozenset(canonical)

    return results


def nim(_):
    return lambda n: [[m] for m in range(n)]


def take(text):
    all_but = text.startswith("!")
    spans = []
    for item in text.lstrip("!").split(","):
        low, dash, high = item.partition("-")
        spans.append((int(low), int(high) if high else math.inf if dash else int(low)))

    def may_take(s):
        return any(low <= s <= high for low, high in spans) != all_but

    return lambda n: [[n - s] for s in range(1, n + 1) if may_take(s)]


def take_and_break(text):
    before, _, after = text.partition(".")
    after, _, repeated = after.rstrip("]").partition("[")
    digits = [int(d, 16) for d in (before or "0") + after]
    cycle = [int(d, 16) for d in repeated]

    def moves(n):
        all_digits = itertools.chain(digits, itertools.cycle(cycle))
        for k, digit in zip(range(n + 1), all_digits):
            left = n - k
            if digit & 1 and k >= 1 and left == 0:
                yield [0]
            if digit & 2 and k >= 1 and left >= 1:
                yield [left]
            if digit & 4:
                for a in range(1, left):
                    yield [a, left - a]
            if digit & 8:
                for a in range(1, left):
                    for b in range(1, left - a):
                        yield [a, b, left - a - b]

    return moves


def lasker(_):
    def moves(n):
        yield from ([m] for m in range(n))
        yield from ([a, n - a] for a in range(1, n))

    return moves


def grundy(_):
    return lambda n: [[a, n - a] for a in range(1, n) if a != n - a]


def wythoff(_):
    def moves(heap):
        a, b = heap
        yield from ([(a - k, b)] for k in range(1, a + 1))
        yield from ([(a, b - k)] for k in range(1, b + 1))
        yield from ([(a - k, b - k)] for k in range(1, min(a, b) + 1))

    return moves


def cookie(_):
    def moves(heap):
        entries = heap if isinstance(heap, tuple) else (heap,)
        for i, size in enumerate(entries):
            if size > 0:
                left = tuple(0 if j == i else max(e - 1, 0) for j, e in enumerate(entries))
                yield [left if len(left) > 1 else left[0]]

    return moves


def octal_pass(text):
    octal = take_and_break(text)

    def moves(heap):
        *heaps, passes = heap
        for i, h in enumerate(heaps):
            for parts in octal(h):
                left = sorted(n for n in heaps[:i] + heaps[i + 1:] + list(parts) if n > 0)
                yield [tuple((left or [0]) + [passes])]
        if passes > 0 and any(True for h in heaps for _ in octal(h)):
            left = sorted(n for n in heaps if n > 0)
            yield [tuple(left + [passes - 1])]

    return moves


def moore(text):
    most = int(text)

    def moves(heap):
        entries = heap if isinstance(heap, tuple) else (heap,)
        for left in itertools.product(*(range(entry + 1) for entry in entries)):
            if 1 <= sum(a < b for a, b in zip(left, entries)) <= most:
                yield [left if len(left) > 1 else left[0]]

    return moves


def welter(_):
    def moves(heap):
        entries = heap if isinstance(heap, tuple) else (heap,)
        for i, entry in enumerate(entries):
            for to in set(range(entry)) - set(entries):
                left = entries[:i] + (to,) + entries[i + 1:]
                yield [left if len(left) > 1 else left[0]]

    return moves


def chomp(_):
    def moves(heap):
        rows = heap if isinstance(heap, tuple) else (heap,)
        for r, row in enumerate(rows):
            for c in range(row):
                if (r, c) != (0, 0):
                    left = rows[:r] + tuple(min(below, c) for below in rows[r:])
                    yield [left if len(left) > 1 else left[0]]

    return moves


def notakto(_):
    lines = ([range(3 * i, 3 * i + 3) for i in range(3)] + [range(i, 9, 3) for i in range(3)]
             + [(0, 4, 8), (2, 4, 6)])

    def moves(board):
        cells = board.replace("_", "")
        if any(all(cells[i] == "x" for i in line) for line in lines):
            return
        for i in range(9):
            if cells[i] == "o":
                left = cells[:i] + "x" + cells[i + 1:]
                yield ["_".join((left[:3], left[3:6], left[6:]))]

    return moves


def cram(_):
    def region(free, cell):
        reached, new = set(), {cell}
        while new:
            reached |= new
            new = {(r + dr, c + dc) for r, c in new
                   for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))} & free - reached
        return reached

    def text(cells):
        rows, columns = {r for r, _ in cells}, {c for _, c in cells}
        return "_".join("".join("o" if (r, c) in cells else "x"
                                for c in range(min(columns), max(columns) + 1))
                        for r in range(min(rows), max(rows) + 1))

    def boards(free):
        while free:
            found = region(free, min(free))
            free = free - found
            if len(found) > 1:
                yield text(found)

    def moves(board):
        free = {(r, c) for r, row in enumerate(board.split("_")) for c, cell in enumerate(row)
                if cell == "o"}
        for r, c in free:
            for other in {(r + 1, c), (r, c + 1)} & free:
                yield list(boards(free - {(r, c), other})) or ["x"]

    return moves


@functools.cache
def undirected(text):
    """The vertices in the order of naming, and the edges as pairs of their numbers."""
    vertices, edges = [], []
    for entry in text.split(";"):
        source, _, targets = entry.partition("->")
        for name in [source] + targets.split(","):
            if name and name not in vertices:
                vertices.append(name)
        edges += [(vertices.index(source), vertices.index(t)) for t in targets.split(",") if t]
    return vertices, edges


def connected(vertices, edges):
    """The numbers of the connected parts of a set of vertices."""
    left = set(vertices)
    while left:
        part = {left.pop()}
        while True:
            more = {v for edge in edges for v in edge if part & set(edge)} & left
            if not more:
                break
            part |= more
            left -= more
        yield sum(1 << v for v in part)


def node_kayles(text):
    vertices, edges = undirected(text)

    def moves(heap):
        present = {v for v in range(len(vertices)) if heap >> v & 1}
        for v in present:
            gone = {v} | {w for edge in edges if v in edge for w in edge}
            yield list(connected(present - gone, edges))

    return moves


def arc_kayles(text):
    vertices, edges = undirected(text)

    def moves(heap):
        present = {v for v in range(len(vertices)) if heap >> v & 1}
        for edge in edges:
            if present >= set(edge):
                yield list(connected(present - set(edge), edges))

    return moves


def hanging(text, left):
    """The heap of those of the edges, by their numbers, that hang on the ground."""
    vertices, edges = undirected(text)
    reached, before = {vertices.index("ground")}, set()
    while reached != before:
        before = reached
        reached = reached | {v for i in left if reached & set(edges[i]) for v in edges[i]}
    bits = sum(1 << i for i in left if set(edges[i]) <= reached)
    if len(edges) <= 63:
        return bits
    return tuple(bits >> at & (1 << 63) - 1 for at in range(0, len(edges), 63))


def hackenbush(text):
    def moves(heap):
        numbers = heap if isinstance(heap, tuple) else (heap,)
        there = [63 * j + i for j, number in enumerate(numbers)
                 for i in range(63) if number >> i & 1]
        for cut in there:
            yield [hanging(text, set(there) - {cut})]

    return moves


def graph(text):
    edges = {}
    for entry in text.split(";"):
        vertex, _, targets = entry.partition("->")
        edges.setdefault(vertex, []).extend(t for t in targets.split(",") if t)
    return lambda vertex: [[target] for target in edges.get(vertex, [])]


# ---- rules{…} ----

class NoMove(Exception):
    """An overflow, or a division by zero."""


class TooLarge(Exception):
    """A heap has too many bindings, or too many positions can be reached."""


def fit(value):
    if not -2**63 <= value < 2**63:
        raise NoMove
    return value


def divide(a, b):
    if b == 0:
        raise NoMove
    return a // b


def remainder(a, b):
    if b == 0:
        raise NoMove
    return a % b


OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": divide, "%": remainder,
    "gcd": math.gcd, "min": min, "max": max, "xor": lambda a, b: a ^ b,
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


class Reader:
    """Reads a text into functions from a dictionary of variables."""

    def __init__(self, text):
        self.tokens = re.findall(r"\d+|[a-z][a-z0-9]*|->|\.\.|<=|>=|!=|.", text)
        self.at = 0
        self.seen = set()  # variables

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def expect(self, token):
        if self.next() != token:
            raise SyntaxError

    def condition(self):
        parts = [self.conjunction()]
        while self.peek() == "|":
            self.next()
            parts.append(self.conjunction())
        return lambda v: any(part(v) for part in parts)

    def conjunction(self):
        parts = [self.negation()]
        while self.peek() == "&":
            self.next()
            parts.append(self.negation())
        return lambda v: all(part(v) for part in parts)

    def negation(self):
        if self.peek() == "!":
            self.next()
            inner = self.negation()
            return lambda v: not inner(v)
        start, seen = self.at, set(self.seen)
        if self.peek() == "(":  # a condition, or an expression with the same beginning
            try:
                self.next()
                inner = self.condition()
                self.expect(")")
                if self.peek() in ("", "&", "|", ")", ";"):
                    return inner
            except SyntaxError:
                pass
            self.at, self.seen = start, seen
        left = self.expression()
        sign = self.next()
        if sign not in ("=", "!=", "<", "<=", ">", ">="):
            raise SyntaxError
        right = self.expression()
        return lambda v: OPERATORS[sign](left(v), right(v))

    def chain(self, signs, operand):
        value = operand()
        while self.peek() in signs:
            value = self.join(self.next(), value, operand())
        return value

    @staticmethod
    def join(sign, left, right):
        return lambda v: fit(OPERATORS[sign](left(v), right(v)))

    def expression(self):
        return self.chain(("+", "-"), self.product)

    def product(self):
        return self.chain(("*", "/", "%"), self.atom)

    def atom(self):
        token = self.next()
        if token.isdigit():
            number = int(token)
            return lambda v: number
        if token == "(":
            inner = self.expression()
            self.expect(")")
            return inner
        if token in ("gcd", "min", "max", "xor"):
            self.expect("(")
            left = self.expression()
            self.expect(",")
            right = self.expression()
            self.expect(")")
            return self.join(token, left, right)
        if not token[:1].islower():
            raise SyntaxError
        self.seen.add(token)
        return lambda v: v[token]

    def entries(self):
        """`expression` or `(expression,expression…)`: the entries."""
        start, seen = self.at, set(self.seen)
        if self.peek() == "(":
            self.next()
            entries = [self.expression()]
            while self.peek() == ",":
                self.next()
                entries.append(self.expression())
            self.expect(")")
            if len(entries) > 1:
                return entries
            self.at, self.seen = start, seen
        return [self.expression()]

    def result(self):
        """The variable, first and last of a series, or None; and the entries."""
        if self.peek() != "[":
            return None, self.entries()
        self.next()
        name = self.next()
        self.expect("=")
        first = self.expression()
        self.expect("..")
        last = self.expression()
        self.expect("]")
        entries = self.entries()
        self.seen.discard(name)
        return (name, first, last), entries


class Clause:
    def __init__(self, text):
        head, arrow, rest = text.partition("->")
        self.is_stop = not arrow
        self.pattern = re.findall(r"[a-z][a-z0-9]*", head) if arrow else []
        self.heaps = []
        reader = Reader(rest if arrow else text[len("stop:"):])
        if arrow:
            self.heaps.append(reader.result())
            while reader.peek() == ",":
                reader.next()
                self.heaps.append(reader.result())
        self.condition = lambda v: True
        if self.is_stop:
            self.condition = reader.condition()
        elif reader.peek():
            reader.expect(":")
            self.condition = reader.condition()
        if reader.peek():
            raise SyntaxError(text)
        self.variables = reader.seen

    def bindings(self, entries, pattern):
        known = dict(zip(pattern, entries))
        free = sorted(self.variables - set(pattern))
        if (max(entries) + 1)**len(free) > 5000:
            raise TooLarge

        def bind(index):
            if index == len(free):
                yield known
                return
            for value in range(max(entries) + 1):
                known[free[index]] = value
                yield from bind(index + 1)

        return bind(0)

    def holds(self, entries, pattern):
        for binding in self.bindings(entries, pattern):
            try:
                if self.condition(binding):
                    return True
            except NoMove:
                pass
        return False

    def results(self, binding, largest):
        heaps = []
        for series, heap in self.heaps:
            if series is None:
                heaps.append(tuple(entry(binding) for entry in heap))
                continue
            name, first, last = series[0], series[1](binding), series[2](binding)
            if first <= last and not 0 <= first <= last <= largest:
                raise NoMove
            for i in range(first, last + 1):
                heaps.append(tuple(entry({**binding, name: i}) for entry in heap))
        return heaps

    def moves(self, entries):
        for binding in self.bindings(entries, self.pattern):
            try:
                if not self.condition(binding):
                    continue
                heaps = self.results(binding, max(entries))
            except NoMove:
                continue
            if heaps and all(entry >= 0 for heap in heaps for entry in heap):
                yield [heap if len(heap) > 1 else heap[0] for heap in heaps]


def rules(text):
    clauses = [Clause(part) for part in text.split(";")]
    stops = [clause for clause in clauses if clause.is_stop]
    steps = [clause for clause in clauses if not clause.is_stop]

    def moves(heap):
        entries = heap if isinstance(heap, tuple) else (heap,)
        if any(stop.holds(entries, steps[0].pattern) for stop in stops):
            return
        for step in steps:
            yield from step.moves(entries)

    return moves


MAKERS = {
    "nim": nim, "take": take, "octal": take_and_break, "hex": take_and_break,
    "lasker": lasker, "grundy": grundy, "wythoff": wythoff, "cookie": cookie, "graph": graph,
    "rules": rules, "pass": octal_pass, "moore": moore,
    "welter": welter, "chomp": chomp, "cram": cram, "notakto": notakto,
    "node-kayles": node_kayles, "arc-kayles": arc_kayles, "hackenbush": hackenbush,
}


# ---- positions ----
# A position is a list of (ruleset text, list of heaps).

def heap_text(heap):
    return "(" + ",".join(map(str, heap)) + ")" if isinstance(heap, tuple) else str(heap)


def position_text(components):
    return "+".join(text + ":" + ",".join(map(heap_text, heaps)) for text, heaps in components)


def move_text(index, result):
    return f"{index}={','.join(map(heap_text, result))}"


def moves_of(components):
    """For each move its text and the components after it."""
    index = 0
    for i, (text, heaps) in enumerate(components):
        for j, heap in enumerate(heaps):
            index += 1
            for result in ruleset(text)(heap):
                left = heaps[:j] + list(result) + heaps[j + 1:]
                yield (move_text(index, result),
                       components[:i] + [(text, left)] + components[i + 1:])


class Oracle:
    """The outcome under one convention: N, P or D; None if there are too many positions."""

    def __init__(self, misere, most=1500):
        self.end = "N" if misere else "P"
        self.most = most
        self.known = {}  # outcomes, by the numbers of the heaps
        self.numbers = {}  # of (ruleset text, heap)
        self.heaps = []
        self.results = []  # of each heap: its results, once listed

    def outcome(self, components):
        key = self.key((text, heap) for text, heaps in components for heap in heaps)
        if key not in self.known:
            self.explore(key)
        return self.known.get(key)

    def key(self, heaps):
        """Heaps in any order; those without a move do not matter."""
        return tuple(sorted(self.number(heap) for heap in heaps if ruleset(heap[0])(heap[1])))

    def number(self, heap):
        if heap not in self.numbers:
            self.numbers[heap] = len(self.heaps)
            self.heaps.append(heap)
            self.results.append(None)
        return self.numbers[heap]

    def results_of(self, number):
        if self.results[number] is None:
            text, heap = self.heaps[number]
            results = ruleset(text)(heap)
            self.results[number] = {self.key((text, h) for h in result) for result in results}
        return self.results[number]

    def followers(self, key):
        keys = set()
        for i, heap in enumerate(key):
            if i > 0 and key[i - 1] == heap:
                continue
            others = key[:i] + key[i + 1:]
            for result in self.results_of(heap):
                keys.add(tuple(sorted(others + result)) if result else others)
        return keys

    def explore(self, start):
        """Lists all reachable positions, then goes back from the decided ones."""
        found, before, undecided = [start], {start: []}, {}
        decided = []
        complete = True
        for key in found:
            if len(found) > self.most:
                complete = False
                break
            try:
                followers = self.followers(key)
            except TooLarge:
                complete = False
                continue
            undecided[key] = len(followers)
            if not followers:
                self.known[key] = self.end
                decided.append(key)
            for follower in followers:
                if follower not in before:
                    before[follower] = []
                    (decided if follower in self.known else found).append(follower)
                before[follower].append(key)
        for key in decided:
            for previous in before[key]:
                if previous in self.known:
                    continue
                if self.known[key] == "N":
                    undecided[previous] -= 1
                if self.known[key] == "P" or undecided[previous] == 0:
                    self.known[previous] = "N" if self.known[key] == "P" else "P"
                    decided.append(previous)
        if complete:
            for key in found:
                self.known.setdefault(key, "D")

    def best_moves(self, components):
        """The moves that win, else those that draw; None if that is not known."""
        outcome = self.outcome(components)
        if outcome is None:
            return None
        after = {text: self.outcome(left) for text, left in moves_of(components)}
        aim = {"N": "P", "D": "D", "P": ""}[outcome]
        if None in after.values() and outcome != "P":
            return None
        return {text for text, left in after.items() if left == aim}

    def nimber(self, components):
        """By definition: the least n that loses beside the position; where there is none, the
        nimbers of the options that have one. Normal play."""
        options = [left for _, left in moves_of(components)]
        value = self.finite_nimber(components, len(options))
        if value is not None:
            return str(value)
        listed = set()
        for option in options:
            inner = self.finite_nimber(option, sum(1 for _ in moves_of(option)))
            if inner is not None:
                listed.add(inner)
        return "inf{" + ",".join(map(str, sorted(listed))) + "}"

    def finite_nimber(self, components, most):
        for n in range(most + 1):
            outcome = self.outcome(components + [("nim", [n])])
            if outcome is None:
                raise TooLarge
            if outcome == "P":
                return n
        return None
