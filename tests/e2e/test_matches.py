"""Matches between decent players: who wins, and that only the seed decides it."""
import operator

from arena import *


class Machine(ArenaTest):
    """What a match makes of the machine, by ratios of one run."""

    def test_says_once_what_a_bot_wrote_unasked(self):
        bots = []
        for name, line in (("Chatty", "Hello, my move is:"), ("Quiet", "info string thinking")):
            bots += self.scripted(name, f"def go(words):\n    say({line!r})\n    play(words)\n\n\nrun(go=go)\n")
        run = self.arena("match", *bots, "--games", 4, "--position", "nim:1,1", "--concurrency", 2, status=0)
        said = [line for line in run.out.decode().splitlines() if "nobody asked for" in line]
        self.assertEqual(said, ["Chatty: wrote 4 lines that nobody asked for; expected such text on stderr, "
                                "or as `info string …`; the first: 'Hello, my move is:'"])

    def test_pinning_makes_no_game_wait_for_another(self):
        """Three games at once, on one core or two: as long as one does not go on, the others play all the rest."""
        held, go_on, games = self.folder / "held", self.folder / "go_on", self.folder / "games"
        os.mkfifo(go_on)
        holder = self.scripted("A", """
def go(words):
    try:
        open(sys.argv[1], "x").close()
        open(sys.argv[2]).read()
    except FileExistsError:
        pass
    play(words)


run(go=go)
""", held, go_on)
        run = self.start(ARENA, "match", *holder,
                         *GOOD, "--concurrency", 3, "--affinity", "on", "--position", "nim:1,1", "--games", 12,
                         "--movetime", 1000 * PATIENCE, "--jsonl", games)
        # It may hold the other game of its pair, too.
        self.wait_until(lambda: games.exists() and games.read_bytes().count(b"\n") >= 10)
        go_on.write_text("")
        self.end_of(run, 0)
        self.assertEqual(games.read_bytes().count(b"\n"), 12)


class Rungs(ArenaTest):
    """builtin:eps:E makes a mistake in a share E of its decisions."""

    def errors(self, rate, games=400):
        """(mistakes, decisions) of the rung, by the XOR of nim heaps."""
        run = self.match(*player(f"builtin:eps:{rate}", name="Rung"), *GOOD, "--strict",
                         "--concurrency", 8, position=None, games=games, seed=5)
        mistakes = decisions = 0
        for game in self.assert_played(run, games):
            heaps = [int(heap) for heap in game["position"].split(":")[1].split(",")]
            for ply, move in enumerate(game["moves"]):
                index, result = map(int, move.split("="))
                total = functools.reduce(operator.xor, heaps)
                keeps = [total ^ heap == left for heap in heaps for left in range(heap)]
                if game["p1" if ply % 2 == 0 else "p2"] == "Rung" and total and not all(keeps):
                    decisions += 1
                    mistakes += total ^ heaps[index - 1] != result
                heaps[index - 1] = result
        return mistakes, decisions

    def test_err_as_often_as_they_should(self):
        for rate in (0.1, 0.5):
            mistakes, decisions = self.errors(rate)
            deviation = (rate * (1 - rate) / decisions) ** 0.5
            self.assertGreater(decisions, 200)
            self.assertLess(abs(mistakes / decisions - rate), 4 * deviation, (mistakes, decisions))

        self.assertEqual(self.errors(0, games=60)[0], 0)
        mistakes, decisions = self.errors(1, games=60)
        self.assertEqual(mistakes, decisions)


class Determinism(ArenaTest):
    def games(self, first, second, concurrency, seed):
        run = self.match(first, second, "--concurrency", concurrency, "--strict", position=None,
                         games=24, seed=seed)
        records = self.assert_played(run, 24)
        for game in records:
            del game["times_us"]
        return records

    def same_at_any_concurrency(self, first, second):
        alone = self.games(first, second, 1, 42)
        self.assertEqual(self.games(first, second, 1, 42), alone)
        self.assertEqual(self.games(first, second, 8, 42), alone)
        other = self.games(first, second, 8, 43)
        self.assertNotEqual([game["moves"] for game in other],
                            [game["moves"] for game in alone])

    def test_processes_and_built_ins(self):
        self.same_at_any_concurrency(RANDOM, ENGINE)
        self.same_at_any_concurrency("builtin:random", "builtin:perfect")


class Record(ArenaTest):
    def test_a_game_has_one_name_with_a_record_too(self):
        for more in ([], ["--record", self.folder / "match.db"]):
            run = self.arena("match", *player(zoo("answers", "bestmove 1=99"), name="Bad"),
                             "builtin:perfect", "--games", 2, "--seed", 1, *more)
            self.assertIn("Bad lost 1 game by illegal-move; game 1: p1 played",
                          run.out.decode())

    def test_a_clean_environment(self):
        self.environment["E2E_SECRET"] = "it is told"
        script = ("import os, sys\n"
                  "print(sorted(os.environ), file=sys.stderr)\n"
                  "open(os.path.join(os.environ['HOME'], 'left'), 'w').close()\n"
                  "sys.exit(1)\n")
        bot = player(shlex.join([sys.executable, "-c", script]), env_X="set")
        run = self.match(*bot, "builtin:perfect", "--env", "clean", games=2)
        self.assertEqual((run.status, run.games()), (3, []))
        self.assertIn("['HOME', 'LANG', 'NIMARENA_PLAYER', 'PATH', 'PYTHONUNBUFFERED', 'TMPDIR', "
                      "'X']", run.report())
        said, advice = run.report().index("stderr:"), run.report().index("    to do: it was started")
        self.assertLess(said, advice, "what the bot says comes before the advice")
        self.assertIn("env=inherit: all that the arena has", run.report())
        # Not the whole list, which may be longer than what is kept of stderr.
        script = script.replace("sorted(os.environ)", "os.environ['E2E_SECRET']")
        other = self.match(*player(shlex.join([sys.executable, "-c", script]), env="inherit"),
                           "builtin:perfect", "--env", "clean", games=2)
        self.assertIn("it is told", other.report())

    def test_a_limit_that_ends_a_player_is_named(self):
        script = ("import os, signal\n"
                  "while 'go' not in input(): print('ugiok\\nreadyok')\n"
                  "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
                  "os.truncate(os.open('big', os.O_CREAT | os.O_RDWR), (1 << 30) + 1)\n")
        run = self.match(*player(shlex.join([sys.executable, "-c", script]), name="Ann", dir=self.folder),
                         "builtin:perfect", games=2)
        for game in self.assert_played(run, 2):
            self.assertEqual((game["reason"], game["exit"]), ("disconnected", {"signal": "SIGXFSZ"}))
            self.assertIn("more than 1G to a file", game["detail"])

    def test_draws_the_positions(self):
        run = self.arena("match", *player("builtin:perfect", name="Ann"),
                         *player("builtin:random", name="Bob"), "--position", "nim:2,1",
                         "--games", 2, "--seed", 1, "--watch", "--analysis", 0)
        out = run.out.decode()
        self.assertEqual(run.status, 0, run.report())
        self.assertRegex(out, "\n\ngame 1: Ann moves first, against Bob\n  nim\n"
                              "     1: 2 (●●|oo)\n     2: 1 (●|o)\n\n"
                              "1\\. Ann: 1=1\n  nim\n     1: 1 (●|o)\n     2: 1 (●|o)\n\n"
                              "2\\. Bob: [12]=0\n")
        self.assertLess(out.index("game 1: Ann beat Bob"), out.index("game 2: Bob moves first"))
