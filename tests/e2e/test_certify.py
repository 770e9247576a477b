"""nim-arena certify: right bots are certified, and of others the smallest mistake and its pattern shown."""
from arena import *

SOLUTIONS = pathlib.Path(__file__).resolve().parent / "bots" / "half_solutions.py"


def solution(kind):
    return shlex.join([sys.executable, "-SB", str(SOLUTIONS), kind])


class Certify(ArenaTest):
    def certify(self, player, *options, family="nim;heaps=1..3;size=0..5"):
        """The exit status, and the report."""
        families = ("--family", family) if family else ()
        seed = () if "--seed" in map(str, options) else ("--seed", 1)
        time = () if "--movetime" in options else ("--movetime", 600000)
        run = self.arena("certify", player, *families, *seed, *time, "--json", *options)
        self.assertEqual(run.out.count(b"\n"), 1, run.report())
        return run.status, json.loads(run.out)

    def refute(self, kind, *options, **keys):
        status, report = self.certify(solution(kind), *options, **keys)
        self.assertEqual(status, 8, report)
        self.assertFalse(report["certified"])
        return report

    def example(self, report):
        found = report["counterexample"]
        return found["position"], found["kind"], found["move"], found["better"]

    # ---- right ----

    def test_a_right_bot(self):
        status, report = self.certify(solution("right"), family="nim;heaps=1..4;size=0..4;misere=mixed")
        self.assertEqual(status, 0, report)
        self.assertTrue(report["certified"])
        self.assertEqual(report["families"], ["nim;heaps=1..4;size=0..4;misere=mixed"])
        # All positions but those without a stone.
        self.assertEqual(report["asked"], 2 * (5 + 25 + 125 + 625 - 4))
        for kind in ("won", "lost"):
            self.assertEqual(report[kind]["right"], report[kind]["positions"])
        self.assertEqual(report["won"]["positions"] + report["lost"]["positions"], report["asked"])
        self.assertEqual(report["again"], {"positions": 200, "varied": 0})
        self.assertEqual((report["counterexample"], report["patterns"], report["faults"]), (None, [], []))

    def test_the_engine_on_all_rulesets(self):
        status, report = self.certify(ENGINE, "--family", "kayles+take{1,3,4};heaps=2;size=0..6;misere=on",
                                      "--family", "graph{a->b;b->a};heaps=1..3;size=0",
                                      family="wythoff;heaps=1..2;size=0..3")
        self.assertEqual(status, 0, report)
        self.assertGreater(report["drawn"]["positions"], 0)
        self.assertGreater(report["won"]["positions"], 0)

    def test_builtin_players(self):
        status, report = self.certify("builtin:perfect")
        self.assertEqual(status, 0, report)
        self.assertGreater(report["again"]["varied"], 0)
        status, report = self.certify("builtin:eps:0.5")
        self.assertEqual(status, 8, report)

    # ---- wrong ----

    def test_the_smallest_counterexample(self):
        report = self.refute("nearly", family="nim;heaps=4;size=1..3")
        self.assertEqual(self.example(report), ("nim:3,1,2,3", "wrong", "1=1", "1=0"))
        self.assertEqual(report["won"]["right"], report["won"]["positions"] - 1)
        self.assertEqual(report["wrong_positions"], [{"position": "nim:3,1,2,3", "heaps": 4, "stones": 9}])
        self.assertIn("nimbers 3, 1, 2 and 3", report["counterexample"]["why"])
        self.assertEqual(report["patterns"], [])  # one mistake is no pattern

    def test_answers_that_vary(self):
        report = self.refute("at_random")
        self.assertGreater(report["again"]["varied"], 50)
        # In a few positions, all are asked again and again: a bot that is right by luck is not.
        once = self.refute("at_random", "--repeat", 1)
        often = self.refute("at_random", "--repeat", 6)
        self.assertEqual(once["again"], {"positions": 0, "varied": 0})
        self.assertEqual(often["again"]["positions"], 5 * (often["asked"] + often["moves"]["positions"]))
        self.assertLess(often["won"]["right"], once["won"]["right"])

    def test_answers_that_depend_on_earlier_questions(self):
        _, report = self.certify(solution("remembers"))
        self.assertEqual(report["wrong"], 0)
        self.assertGreater(report["again"]["varied"], 0)

    def test_answers_do_not_depend_on_concurrency(self):
        found = []
        for count in (1, 3):
            _, report = self.certify(solution("at_random"), "--concurrency", count)
            del report["time_ms"]
            found.append(report)
        self.assertEqual(found[0], found[1])

    # ---- faults ----

    def expect_fault(self, kind, fault, count, smallest, *options, family="nim;heaps=1..2;size=0..7"):
        report = self.refute(kind, *options, family=family)
        self.assertEqual([(found["kind"], found["count"], found["smallest"]) for found in report["faults"]],
                         [(fault, count, smallest)])
        self.assertEqual(self.example(report)[:2], (smallest, fault))
        return report["faults"][0], report

    def test_illegal_moves(self):
        fault, report = self.expect_fault("illegal_where_the_first_is_empty", "illegal-move", 7, "nim:0,1")
        self.assertEqual((fault["received"], fault["expected"]), ("bestmove 1=0", "a legal move such as 2=0"))
        self.assertEqual(report["patterns"], ["illegal-move in all 7 positions where the first heap is empty, "
                                              "and in no other"])

    def test_refused_positions(self):
        fault, _ = self.expect_fault("refuses_four_heaps", "refused", 16, "nim:1,1,1,1",
                                     family="nim;heaps=3..4;size=1..2")
        self.assertEqual(fault["received"], "info string error I count to three")

    def test_crashes(self):
        fault, report = self.expect_fault("dies_of_seven", "disconnected", 1, "nim:7,7")
        self.assertIn("exit status 1: IndexError", fault["detail"])
        self.assertEqual(fault["stderr"][-1], "IndexError: list index out of range")
        self.assertEqual(report["not_asked"], 0)

    def test_a_bot_that_ends_after_its_answer(self):
        """The answer stands, and the question that it did not read is asked again."""
        found = []
        for count in (1, 3):
            report = self.refute("ends_after_seven", "--concurrency", count, "--repeat", 1,
                                 family="nim;heaps=1..2;size=0..7;sorted")
            del report["time_ms"]
            found.append(report)
            for kind in ("won", "lost", "moves"):
                self.assertEqual(report[kind]["right"], report[kind]["positions"])
            fault, = report["faults"]
            self.assertEqual((fault["kind"], fault["smallest"], fault["stderr"][-1]),
                             ("ended", "nim:7", "seven is enough"))
            self.assertIn("exit status 1; it had not read the question", fault["detail"])
            self.assertEqual((report["counterexample"], report["stopped"], report["not_asked"]), (None, "", 0))
            self.assertRegex(report["patterns"][0], "^ended in all .* some heap holds 7 or more, and in no other$")
        self.assertEqual(found[0], found[1])

    def test_a_restarted_bot_draws_anew(self):
        """Not the draw again that has ended it."""
        found = []
        for count in (1, 3):
            _, report = self.certify(solution("ends_by_chance"), "--seed", 2, "--repeat", 1, "--restarts",
                                     1000, "--concurrency", count, family="nim;heaps=1..2;size=0..3")
            del report["time_ms"]
            found.append(report)
        self.assertEqual(found[0], found[1])
        (fault,) = found[0]["faults"]
        self.assertTrue(5 <= fault["count"] <= 20, fault)  # each question has a chance of a half

    def test_silence(self):
        self.expect_fault("hangs_at_five", "timeout", 1, "nim:5,5", "--movetime", 1500,
                          family="nim;heaps=2;size=4..5")  # few that must be answered in this time

    def test_gives_up(self):
        report = self.refute("always_dies", "--restarts", 3, "--concurrency", 1)
        self.assertEqual(report["stopped"], "given up after it had to be restarted 4 times")
        self.assertEqual(report["faults"][0]["count"], 4)
        self.assertEqual(report["not_asked"], report["won"]["positions"] + report["lost"]["positions"] - 4)

    def test_a_bot_that_does_not_start(self):
        run = self.arena("certify", shlex.join([sys.executable, "-c", "import no_such_module"]),
                         "--family", "nim;heaps=1;size=1..3", status=3)
        self.assertIn("no 'ugiok'", run.report())
        self.assertRegex(run.report(), r"\n      \| ModuleNotFoundError: .*\n    to do: only the standard library ")

    def test_a_bot_that_does_not_start_for_the_repeats(self):
        def starts_once(name):
            return shlex.join(["sh", "-c", f"mkdir '{self.folder / name}' && exec {solution('right')}"])

        family = "nim;heaps=1..2;size=0..3"
        status, report = self.certify(starts_once("a"), "--repeat", 2, "--concurrency", 1, family=family)
        self.assertEqual((status, report["certified"], report["not_asked"]), (8, False, 0), report)
        self.assertRegex(report["stopped"], "^it did not start again: no 'ugiok'")
        # The sample that is asked again by default is no part of the verdict.
        status, report = self.certify(starts_once("b"), "--concurrency", 1, family=family)
        self.assertEqual((status, report["certified"], report["stopped"]), (0, True, ""), report)
        self.assertRegex(report["remarks"], "^asked again, it did not start: no 'ugiok'")

    def test_a_bot_that_is_given_up_in_the_repeats(self):
        bots = f"mkdir '{self.folder / 'asked'}' && exec {solution('right')}; exec {solution('always_dies')}"
        status, report = self.certify(shlex.join(["sh", "-c", bots]), "--repeat", 2, "--restarts", 3,
                                      "--concurrency", 1)
        self.assertEqual((status, report["faults"][0]["count"], report["not_asked"]), (8, 4, 0), report)
        self.assertEqual(report["stopped"], "given up after it had to be restarted 4 times")

    # ---- what is asked ----

    def test_positions_from_a_file(self):
        file = self.folder / "positions.txt"
        file.write_text("nim:8  # a power of two\nnim:7\nnim:8\n")
        status, report = self.certify(solution("three_bits"), "--positions", file, "--position",
                                      "nim:0", family=None)
        self.assertEqual((status, report["asked"], report["given"]), (8, 2, 4))
        self.assertEqual(report["counterexample"]["position"], "nim:8")

    def test_unknown_positions_are_named(self):
        position = "grundy:100000000000 misere"  # so large that the solver does not try
        status, report = self.certify(RANDOM, "--position", position, "--position", "nim:1", family=None)
        self.assertEqual(report["unknown"], {"positions": 1, "right": 1})
        self.assertEqual(report["unknown_positions"][0]["position"], position)
        self.assertEqual(status, 0)
        run = self.arena("certify", RANDOM, "--position", position, "--position", "nim:1")
        self.assertRegex(run.out.decode(), r"(?m)^certified: 1 position; in 1 more its moves are legal, "
                                           r"and their worth is not known$")
        # A verdict about legal moves alone would say that any bot is right.
        hard = "cram:" + "_".join(["o" * 9] * 9) + " misere"  # the solver gives up after a while
        run = self.arena("certify", RANDOM, "--position", position, "--position", hard, status=2)
        self.assertIn("the truth about none of the positions is known, expected some", run.report())

    # ---- positions sent with `moves` ----

    def test_a_bot_that_forgets_the_moves(self):
        """It plays perfectly in the position behind `fen`."""
        report = self.refute("forgets_moves")
        self.assertEqual(report["won"]["right"], report["won"]["positions"])
        self.assertLess(report["moves"]["right"], report["moves"]["positions"])
        self.assertRegex(report["counterexample"]["position"], r"^nim:\S+ moves( \d=\d)+$")
        _, right = self.certify(solution("right"))
        self.assertEqual(right["moves"], {"positions": 200, "right": 200, "not_asked": 0})

    # ---- people ----

    def test_text(self):
        run = self.arena("certify", solution("greedy"), "--family", "nim;heaps=1..3;size=0..5", "--seed", 1,
                         "--movetime", 600000, status=8)
        text = run.out.decode()
        self.assertRegex(text, r"(?m)^right in 65 of 223 won positions$")
        self.assertRegex(text, r"(?m)^a legal move in 32 of 32 lost positions$")
        self.assertRegex(text, r"(?m)^the smallest counterexample is nim:1,2\n"
                               r"    it plays 2=0, which gives the win away: 1=0 wins then\n"
                               r"    2=1 is right\n    The heaps have the nimbers 1 and 2; ")
        self.assertRegex(text, r"\nits answers do not vary: asked again 200 times, it did the same"
                               r"\nthe smallest counterexample ")
        self.assertRegex(text, r"\n  - .*\nREFUTED\n$")
        run = self.arena("certify", solution("right"), "--family", "nim;heaps=1;size=0..5;misere=on", "--seed", 1,
                         "--movetime", 60_000, status=0)
        self.assertRegex(run.out.decode(), r"\ncertified: 5 positions, and 3 sent with moves\n$")

    def test_progress_is_drawn_from_the_beginning(self):
        gate = self.fifo("gate")
        bot = shlex.join(["sh", "-c", f"read line <{gate}; exec {solution('right')}"])
        said = self.run_on_a_terminal("certify", bot, "--family", "nim;heaps=1;size=0..5", "--seed", "1", "--startup",
                                  "600000", "--concurrency", "1", "--repeat", "1", "--movetime", "60000",
                                      steps=[(r" s\)", lambda *_: gate.write_text("begin\n"))])
        self.assertRegex(said, r"\ncertified: 5 positions")
        # The report alone, where standard error is no terminal.
        run = self.arena("certify", solution("right"), "--family", "nim;heaps=1;size=0..5", "--json")
        self.assertEqual(run.report(), "")

    def test_usage_errors(self):
        for arguments, error in (
                ([], "read 0 players, expected one"),
                ([ENGINE], "read no positions, expected --family, --position or --positions"),
                ([ENGINE, ENGINE, "--family", "nim;heaps=1;size=1"], "read 2 players, expected one: a command with blanks is quoted"),
                (["human", "--family", "nim;heaps=1;size=1"], "read human, expected a bot"),
                ([ENGINE, "--family", "nim:3,4"], "expected a family such as 'nim;heaps=1..4;size=0..7'"),
                ([ENGINE, "--family", "nim;heaps=1;size=0"], "none of the positions has a move"),
                ([ENGINE, "--family", "nim;heaps=1;size=1", "--repeat", "0"], "--repeat: ")):
            run = self.arena("certify", *arguments, status=2)
            self.assertIn(error, run.report())
