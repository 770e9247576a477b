"""Matches under every ruleset, alone and in sums: all moves are legal, and loops end."""
from arena import *

RANDOM_BOT = shlex.join([sys.executable, str(ROOT / "bots" / "python" / "random_bot.py")])

POSITIONS = [
    "octal{0.137}:9,5", "octal{4.07}:7 misere", "hex{0.8F}:9,4", "hex{C.0008}:12",
    "kayles:7,10", "dawson-kayles:11", "dawson-chess:9 misere", "treblecross:12", "officers:10",
    "lasker:5,6", "grundy:13,9", "wythoff:(3,5),(6,2)", "wythoff:(4,7) misere",
    "cookie:(1,2,4),3", "cookie:(2,2,5,1) misere",
    "pass{0.77}:(5,3,1)", "pass{4.07}:(6,2) misere", "cram:oooo_oooo_ooox", "cram:ooo_ooo misere",
    "moore{2}:(3,4,5,6),7", "moore{3}:(2,2,1,1,3) misere",
    "welter:(1,4,6,9),5", "welter:(2,5,3) misere", "chomp:(4,4,3),5", "chomp:(3,3,2) misere",
    "notakto:ooo_ooo_ooo,ooo_oxo_ooo", "notakto:ooo_ooo_ooo misere",
    "node-kayles{a->b;b->c;c->d;d->a,e;f}:63", "node-kayles{a->b;b->c;c->d}:15,6 misere",
    "arc-kayles{a->b;b->c;c->d;d->a,e;e->f}:63,7", "arc-kayles{a->b,c,d;b->c}:15 misere",
    "hackenbush{ground->a;a->b,c;b->c,d;d->d;ground->e}:127", "hackenbush{ground->a;a->b}:3 misere",
    "graph{a->b,c;b->c;c->d}:a,b", "graph{0->007,7;007->7}:0 misere",
    "kayles:6+wythoff:(2,5)+nim:3+take{2,5}:9", "cookie:(1,3)+grundy:8+graph{a->b;b->c}:a misere",
]
RING = "graph{a->b;b->c;c->a}:a"


class Rulesets(ArenaTest):
    def test_players_of_each_kind(self):
        given = [word for position in POSITIONS for word in ("--position", position)]
        for players in ((RANDOM, GREEDY), (RANDOM_BOT, "builtin:random"), (ENGINE, RANDOM)):
            run = self.match(*players, *given, "--strict", position=None, games=2 * len(POSITIONS))
            records = self.assert_played(run, 2 * len(POSITIONS))
            self.assertEqual([game["position"] for game in records[::2]], POSITIONS)
            self.assertEqual({game["reason"] for game in records}, {"no-moves"})

    def test_moves_in_the_record(self):
        run = self.match("builtin:random", "builtin:greedy", position="graph{start->end}:start", games=2)
        for game in self.assert_played(run, 2):
            self.assertEqual((game["moves"], game["winner"]), (["1=end"], "p1"))


class Loops(ArenaTest):
    def test_third_occurrence_is_a_draw(self):
        # The position repeats after 3 plies, and after 6 with the same player; the start counts.
        for players in ((RANDOM, GREEDY), (ENGINE, RANDOM_BOT), ("builtin:perfect", "builtin:random")):
            for game in self.assert_played(self.match(*players, "--strict", position=RING, games=2), 2):
                self.assertEqual((game["reason"], game["winner"], len(game["moves"])),
                                 ("repetition", None, 12))
                self.assertIn("third time", game["detail"])


class Catalogue(ArenaTest):
    def catalogue(self, text):
        path = self.folder / "catalogue"
        path.write_text(text)
        return path

    def test_names_are_expanded_before_they_are_sent(self):
        path = self.catalogue("ring = graph{ a->b ;  # there\n  b->a, c }  # and back, or out\n"
                              "same = ring\nsticks = kayles\n")
        log = self.folder / "log"
        run = self.match(ENGINE, RANDOM, "--rulesets", path, "--log", log, "--strict",
                         position="ring:a+same:c+sticks:5", games=2)
        expanded = "graph{a->b;b->a,c}:a+graph{a->b;b->a,c}:c+kayles:5"
        for game in self.assert_played(run, 2):
            self.assertEqual(game["position"], expanded)
        self.assertNotIn("ring", log.read_text())
        self.assertIn("position fen " + expanded, log.read_text())

    def test_check_takes_names(self):
        path = self.catalogue("ring = graph{a->b;b->c}")
        run = self.arena("check", RANDOM, "--rulesets", path, "--position", "ring:a", "--json")
        points = {point["point"]: point for point in json.loads(run.out)["points"]}
        self.assertEqual((points["given"]["result"], points["given"]["detail"]), ("ok", "1 positions"))

    def refused(self, position, *arguments):
        run = self.arena("match", RANDOM, RANDOM, "--position", position, *arguments, status=2)
        return run.report()

    def test_graph_files_are_for_the_engine(self):
        graph = self.folder / "graph"
        graph.write_text("a->b")
        self.assertIn("only nim-engine reads one from a file", self.refused(f"graph{{@{graph}}}:a"))
        path = self.catalogue(f"big = graph{{@{graph}}}")
        self.assertIn("only nim-engine reads one from a file", self.refused("big:a", "--rulesets", path))
