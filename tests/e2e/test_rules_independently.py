"""nim-engine compared with a second implementation of the rules, on many small positions.

By hand, with more positions: test_rules_independently.py POSITIONS [SEED]
"""
import random

from arena import *
import rules_read_again as again

FORMS = ["nim", "take", "octal", "hex", "name", "wythoff", "cookie", "graph", "rules", "tuples",
         "octal_pass", "moore", "welter", "chomp", "cram", "notakto",
         "kayles_on_graph", "kayles_on_graph", "hackenbush"]


class Draw:
    """Draws rulesets and positions."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def below(self, n):
        return self.random.randrange(n)

    def one_of(self, *choices):
        return self.random.choice(choices)

    def ruleset(self):
        form = self.one_of(*FORMS)
        return getattr(self, form)() if hasattr(self, form) else form

    def take(self):
        items = []
        for _ in range(1 + self.below(3)):
            low = 1 + self.below(8)
            items.append(self.one_of(str(low), str(low), f"{low}-{low + self.below(4)}"))
        kind = self.below(6)
        if kind == 0:
            items.append(f"{3 + self.below(7)}-")
        return "take{" + ("!" if kind in (1, 2) else "") + ",".join(items) + "}"

    def code(self, digits, first):
        while True:
            code = self.one_of(*first) + "."
            code += "".join(self.one_of(*digits) for _ in range(1 + self.below(4)))
            if code.strip("0.") == "":
                continue
            if self.below(3) == 0:
                code += "[" + "".join(self.one_of(*digits) for _ in range(1 + self.below(3))) + "]"
            return code

    def octal(self):
        return "octal{" + self.code("0001234567", ["", "0", "0", "4"]) + "}"

    def hex(self):
        return "hex{" + self.code("000123456789ABCDEF", ["", "0", "0", "4", "8", "C"]) + "}"

    def name(self):
        return self.one_of(*again.NAMES, "lasker", "grundy")

    def octal_pass(self):
        return "pass{" + self.code("0001234567", ["", "0", "0", "4"]) + "}"

    def moore(self):
        return "moore{%d}" % (1 + self.below(3))

    def kayles_on_graph(self):
        names = ["a", "B", "_", "007", "7", "x"][:1 + self.below(6)]
        edges = {tuple(self.random.sample(names, 2)) for _ in range(self.below(9)) if names[1:]}
        edges = {edge for edge in edges if edge < edge[::-1] or edge[::-1] not in edges}
        entries = names[:self.below(3)] + sorted("->".join(edge) for edge in edges)
        name = self.one_of("node-kayles", "arc-kayles")
        return name + "{" + ";".join(entries or names) + "}"

    def hackenbush(self):
        names = ["ground", "a", "B", "7", "_"]
        edges = [self.one_of(*names) + "->" + self.one_of(*names) for _ in range(self.below(7))]
        if self.below(2) == 0:  # so many that a heap is a tuple
            edges += 64 * ["ground->b"]
            self.random.shuffle(edges)
        return "hackenbush{" + ";".join(["ground", *edges]) + "}"

    def graph(self):
        names = ["a", "B", "_", "0", "007", "7", "x1", "y"][:2 + self.below(7)]
        acyclic = self.below(3) == 0
        entries = []
        for _ in range(1 + self.below(9)):
            source = self.below(len(names))
            targets = names[source + 1:] if acyclic else names
            some = [self.one_of(*targets) for _ in range(self.below(4))] if targets else []
            entries.append(names[source] + ("->" + ",".join(some) if some else ""))
        return "graph{" + ";".join(entries) + "}"

    # ---- rules{…} ----

    def expression(self, names, depth=2):
        if depth == 0 or self.below(3) == 0:
            return self.one_of(*names, *names, str(self.below(4)))
        left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
        form = self.one_of("{}+{}", "{}-{}", "{}-{}", "({}+{})", "({}-{})", "{}*{}", "{}/{}",
                           "{}%{}", "gcd({},{})", "min({},{})", "max({},{})", "xor({},{})")
        return form.format(left, right)

    def condition(self, names, depth=2):
        if depth == 0 or self.below(2) == 0:
            sign = self.one_of("=", "!=", "<", "<=", ">", ">=", "<", "<")
            return self.expression(names, 1) + sign + self.expression(names, 1)
        left, right = self.condition(names, depth - 1), self.condition(names, depth - 1)
        return self.one_of("{}&{}", "{}&{}", "{}|{}", "({}|{})&1<2", "!({}&{})").format(left, right)

    def number_clause(self):
        a, b = 1 + self.below(4), 2 + self.below(5)
        odd = self.condition(["n", "k"], 1)
        return self.one_of(
            f"n->n-k:k>=1&k<={a}", f"n->n-{a}", f"n->n-k:k>=1&n%k=0&k<n", f"n->k:k<n&k%{b}={a}",
            f"n->k:k<n&({odd})", f"n->n/{b}:n>0", f"n->x,n-x:0<x&x<n-x", f"n->x,n-x-{a}:x>=1",
            f"n->x,y,n-x-y-1:x<=y&y>0", f"n->n-k:k>=1&gcd(n,k)=1", f"n->x,x:2*x+{a}<=n",
            # with cycles
            f"n->n+1:n<{b}", f"n->(n*{a}+{b})%{a + b}:n<{a + b}", f"n->(n+k)%{b}:n<{b}&(k=1|k={a})",
            f"n->xor(n,{a}):n<8", f"n->{a}-n", f"n->k:k<={b}&({odd})",
            # with cycles and splits
            f"n->(n+{a})%{b},n/2:n<{b}", f"n->n-1,{a}-n", f"n->x,n-x:x<n&({odd})",
            # any number of heaps
            f"n->[i={a}..k]n-i", f"n->[i=1..k]n/k,n%k:{odd}", f"n->0,[i=k..n-{a}]i-k:k<n",
            # any rules
            f"n->{self.expression(['n', 'k'])}:k<n&({odd})",
            f"n->{self.expression(['n'])}:{self.condition(['n', 'k'])}",
            f"n->n-k,{self.expression(['k'], 1)}:k>0&{odd}")

    def rules(self):
        clauses = [self.number_clause() for _ in range(1 + self.below(3))]
        if self.below(4) == 0:
            stop = self.one_of(f"stop:n={self.below(6)}", f"stop:n%{2 + self.below(3)}=1&n>3",
                               "stop:k*k=n&k>1", "stop:" + self.condition(["n", "z"], 1))
            clauses.insert(self.below(len(clauses) + 1), stop)
        return "rules{" + ";".join(clauses) + "}"

    def pair_clause(self):
        a, odd = 1 + self.below(3), self.condition(["a", "b", "k"], 1)
        return self.one_of(
            "(a,b)->(a-k,b):k>=1", "(a,b)->(a,b-k):k>=1", "(a,b)->(a-k,b-k):k>=1",
            f"(a,b)->(a-{a},b)", "(a,b)->(a-1,b-1)", f"(a,b)->(b,a-{a})", "(a,b)->(a%b,b)",
            f"(a,b)->(a-k,b):k>=1&a%k=0", f"(a,b)->(a-k,b):k>=1&({odd})",
            "(a,b)->(k,b),(a-k,b):k>=1&k<a-k", "(a,b)->(a-1,k):k<b", "(x,y)->(y-1,x),(x-1,0)",
            # with cycles
            f"(a,b)->(b,a):a<b", f"(a,b)->(a+1,b-1):a<{a + 3}", f"(a,b)->(a-1,b+1):b<{a + 3}",
            f"(a,b)->(b,(a+{a})%4):a<4", f"(a,b)->(xor(a,1),b-1)", f"(a,b)->(a,b):a={a}")

    def tuples(self):
        if self.below(4) == 0:
            text = ("(a,b,c)->(a-k,b,c):k>=1&a%k=0;(a,b,c)->(a,b-1,c-1);(a,b,c)->(b,c,a-1);"
                    "(a,b,c)->(a,b-k,c):k>0&b%2=1").split(";")
            clauses = [self.one_of(*text) for _ in range(1 + self.below(3))]
            stop = "stop:a+b+c<=1"
        else:
            clauses = [self.pair_clause() for _ in range(1 + self.below(3))]
            stop = self.one_of("stop:a+b<=1", "stop:a=b&a>1", "stop:a*b=k+3")
            if stop.find("b") > 0 and not clauses[0].startswith("(a,b)"):
                stop = "stop:x+y=2"
        if self.below(4) == 0:
            clauses.insert(self.below(len(clauses) + 1), stop)
        return "rules{" + ";".join(clauses) + "}"

    # ---- positions ----

    def heap(self, ruleset, largest):
        if ruleset == "wythoff":
            return self.below(largest // 2 + 1), self.below(largest // 2 + 1)
        if ruleset == "cookie":
            size = 1 + self.below(4)
            cookies = tuple(self.below(largest // 2 + 2) for _ in range(size))
            return cookies if size > 1 else cookies[0]
        if ruleset.startswith("pass"):
            heaps = [self.below(largest // 2 + 2) for _ in range(1 + self.below(2))]
            return (*heaps, self.below(3))
        if ruleset.startswith("moore"):
            size = 1 + self.below(4)
            entries = tuple(self.below(largest // size + 2) for _ in range(size))
            return entries if size > 1 else entries[0]
        if ruleset == "welter":
            size = 1 + self.below(4)
            entries = tuple(self.random.sample(range(max(largest // 2, size) + 2), size))
            return entries if size > 1 else entries[0]
        if ruleset == "chomp":
            rows = sorted((self.below(largest // 3 + 2) for _ in range(1 + self.below(4))),
                          reverse=True)
            return tuple(rows) if len(rows) > 1 else rows[0]
        if ruleset == "notakto":
            free = "o" * (largest // 5 + 1)
            return "_".join("".join(self.one_of(*free, "x") for _ in range(3)) for _ in range(3))
        if ruleset == "cram":
            columns = 1 + self.below(4)
            return "_".join("".join(self.one_of(*"oooox") for _ in range(columns))
                            for _ in range(1 + self.below(largest // columns + 1)))
        if "-kayles{" in ruleset:
            return self.below(1 << len(again.undirected(ruleset[ruleset.index("{") + 1:-1])[0]))
        if ruleset.startswith("hackenbush"):
            text = ruleset[len("hackenbush{"):-1]
            edges = range(len(again.undirected(text)[1]))
            there = self.random.sample(edges, min(self.below(largest // 2 + 1), len(edges)))
            return again.hanging(text, there)
        if ruleset.startswith("graph"):
            vertices = again.re.findall(r"\w+", ruleset[len("graph{"):])
            return self.one_of(*vertices)
        if ruleset.startswith("rules{"):
            pattern = again.re.search(r"(?:^|[{;])(\([a-z0-9,]*\))->", ruleset)
            if pattern:
                size = pattern.group(1).count(",") + 1
                return tuple(self.below(largest // 2 + 2) for _ in range(size))
        return self.below(largest + 1)

    def position(self, rulesets):
        """Mostly one heap, at most three; the more, the smaller."""
        heaps = self.one_of(1, 1, 2, 2, 3)
        largest = {1: 14, 2: 8, 3: 5}[heaps]
        components = []
        while heaps > 0:
            some = 1 + self.below(heaps)
            text = self.one_of(*rulesets)
            components.append((text, [self.heap(text, largest) for _ in range(some)]))
            heaps -= some
        return components


class Asked:
    """A position, and the answers of the second implementation."""

    def __init__(self, components, misere, oracle):
        self.text = again.position_text(components) + (" misere" if misere else "")
        legal = {text for text, _ in again.moves_of(components)}
        self.expected = {"legalmoves": legal, "gameover": {"false" if legal else "true"}}
        self.outcome = oracle.outcome(components)
        if self.outcome is not None:
            self.expected["outcome"] = {self.outcome}
        best = oracle.best_moves(components)
        if best is not None:
            self.expected["bestmoves"] = best
        if misere:
            self.expected["nimber"] = {"none"}
        elif self.outcome is not None:
            try:
                self.expected["nimber"] = {oracle.nimber(components)}
            except again.TooLarge:
                pass


class Comparison:
    PER_RULESETS = 40  # positions drawn from three rulesets

    def __init__(self, seed):
        self.draw = Draw(seed)
        self.compared = dict.fromkeys(["outcome", "bestmoves", "legalmoves", "nimber"], 0)
        self.outcomes = dict.fromkeys(["N", "P", "D", None], 0)
        self.unknown = []
        self.faults = []

    def run(self, positions):
        while positions > 0:
            some = min(positions, self.PER_RULESETS)
            rulesets = [self.draw.ruleset() for _ in range(3)]
            oracles = [again.Oracle(misere=False), again.Oracle(misere=True)]
            batch = []
            for _ in range(some):
                misere = self.draw.below(2)
                batch.append(Asked(self.draw.position(rulesets), misere == 1, oracles[misere]))
            self.judge(batch, self.ask(batch))
            positions -= some

    def ask(self, batch):
        """The lines that the engine answers with."""
        lines = ["setoption name QueryTime value 2000"]
        for asked in batch:
            lines.append("position fen " + asked.text)
            lines += ["query " + query for query in asked.expected]
        done = subprocess.run([ENGINE], input="\n".join(lines + ["quit", ""]), text=True,
                              stdout=subprocess.PIPE, timeout=PATIENCE)
        return iter(done.stdout.splitlines())

    def judge(self, batch, answers):
        for asked in batch:
            self.outcomes[asked.outcome] += 1
            for query, expected in asked.expected.items():
                answer = next(answers, "nothing")
                words = answer.split()[1:]
                if query != "outcome" and words == ["unknown"] and "rules{" in asked.text:
                    self.unknown.append(asked.text)  # allowed only with loops
                elif len(words) != len(expected) or set(words) != expected:
                    self.faults.append((asked.text, query, answer, " ".join(sorted(expected))))
                if query in self.compared:
                    self.compared[query] += 1


class RulesIndependently(unittest.TestCase):
    def test_small_positions(self):
        comparison = Comparison(seed=1908)
        comparison.run(1500)
        self.assertEqual(comparison.faults, [])
        self.assertEqual(comparison.unknown, [])
        self.assertGreater(min(comparison.compared.values()), 1000)
        self.assertGreater(min(comparison.outcomes[o] for o in "NPD"), 20)


if __name__ == "__main__":
    comparison = Comparison(seed=int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    comparison.run(int(sys.argv[1]))
    for fault in comparison.faults:
        print("%s\n    %s: %s\n    expected: %s" % fault)
    for text in comparison.unknown:
        print("unknown:", text)
    print(comparison.compared, comparison.outcomes, len(comparison.faults), "faults")
