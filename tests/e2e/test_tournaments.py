"""Tournaments: formats, records that survive, forgiven faults, sequential tests, output."""
import random
import shutil

from arena import *

PERFECT = ["--player", "cmd=builtin:perfect name=Perfect"]
RANDOM_PLAYER = ["--player", "cmd=builtin:random name=Random"]


def random_players(count):
    return [word for i in range(1, count + 1)
            for word in ("--player", f"cmd=builtin:random name=R{i}")]


class TournamentTest(ArenaTest):
    def tournament(self, *arguments, record="record.db", seed=1, status=None):
        words = ["tournament", *arguments]
        if record:
            words += ["--record", self.folder / record]
        if seed is not None:
            words += ["--seed", seed]
        return self.arena(*words, status=status)

    def rows(self, query, record="record.db"):
        with contextlib.closing(sqlite3.connect(self.folder / record)) as connection:
            return connection.execute(query).fetchall()

    def change(self, *statements):
        with contextlib.closing(sqlite3.connect(self.folder / "record.db")) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    def assert_whole(self, games, record="record.db"):
        """Each game once, each planned pair with both its games, and an intact file."""
        self.assertEqual(self.rows("SELECT count(*), count(DISTINCT pair * 2 + leg) FROM game",
                                   record), [(games, games)])
        self.assertEqual(self.rows("SELECT count(*) FROM pair", record), [(games // 2,)])
        self.assertEqual(self.rows("PRAGMA integrity_check", record), [("ok",)])

    def points(self, run):
        """By player, from the table."""
        lines = run.out.decode().splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("#"))
        found = {}
        for line in lines[head + 1:]:
            words = line.split()
            if not words or not words[0].isdigit():
                break
            found[words[1]] = float(words[6])
        return found

    def games_recorded(self, record="record.db"):
        return games_in(self.folder / record)


class Tournaments(TournamentTest):
    """Formats, and where they begin and stop."""

    def test_round_robin(self):
        run = self.tournament(*PERFECT, *random_players(3), "--games", 4, status=0)
        self.assert_whole(6 * 4)
        self.assertEqual(sum(self.points(run).values()), 24)
        self.assertEqual(next(iter(self.points(run))), "Perfect")

    def test_swiss(self):
        run = self.tournament(*PERFECT, *random_players(8), "--format", "swiss", "--rounds", 5, status=0)
        self.assert_whole(5 * 4 * 2)
        meetings = self.rows("SELECT min(player1, player2), max(player1, player2) FROM pair")
        self.assertEqual(len(meetings), len(set(meetings)), "a rematch")
        byes = [row[0] for row in self.rows("SELECT byes FROM round")]
        self.assertEqual(len(set(byes)), 5, "nobody has two byes")
        self.assertIn("\npoints: also 2 for each bye\n", run.out.decode())
        self.assertIn("\npoints and theory: of games alone, without those for byes\n", run.out.decode())

    def test_rematches_are_named(self):
        run = self.tournament(*random_players(4), "--format", "swiss", "--rounds", 4, status=0)
        self.assertRegex(run.out.decode(), r"note: rematch: R\d and R\d; R\d and R\d\n")

    def test_knockout_with_byes(self):
        run = self.tournament(*random_players(5), "--format", "knockout", status=0)
        self.assertEqual(self.rows("SELECT max(round) FROM round"), [(3,)])
        finalists = self.rows("SELECT player1, player2 FROM pair WHERE round = 3 LIMIT 1")
        self.assertEqual(len(finalists), 1)
        text = run.out.decode()
        self.assertIn("places: by the round reached; points: of all games, and 2 for each bye", text)
        self.assertEqual(text.count("\npoints and theory: of games alone, without those for byes\n"), 1)
        self.assertRegex(text, r"\nround 1\n  R1 has a bye\n  R4 .* - .* R5.*\n  R2 has a bye\n"
                               r"  R3 has a bye\nround 2\n  R1 .*\n  .*\nfinal\n  .*\nwinner: R\d\n")
        shown = self.arena("standings", self.folder / "record.db", status=0)
        self.assertTrue(shown.out.decode().strip() in text, shown.out.decode() + text)

    def test_all_kinds_of_players(self):
        self.tournament(*PERFECT, *player(RANDOM, name="Pipes"),
                        *player(zoo("decent"), name="Python"), "--games", 4,
                        "--position", "nim:3,4,5", status=0)
        self.assert_whole(3 * 4)
        self.assertEqual(self.rows("SELECT count(*) FROM fault"), [(0,)])
        builds = self.rows("SELECT command, executable FROM build")
        self.assertEqual(len(builds), 3)
        self.assertTrue(any("nim-random" in command and len(executable) > 64
                            for command, executable in builds), builds)

    def test_sprt_accepts_h1(self):
        run = self.tournament(*PERFECT, *RANDOM_PLAYER, "--games", 2000, "--max-games", 2000,
                              "--sprt", "0,20,0.05,0.05", status=6)
        self.assertNotIn("are played", self.arena("standings", self.folder / "record.db").out.decode())
        decided = re.search(rb"H1 accepted after (\d+) pairs", run.out)
        self.assertIsNotNone(decided, run.out)
        # Games in progress at the decision are played to their end.
        self.assertLessEqual(self.rows("SELECT count(*) FROM game")[0][0],
                             2 * (int(decided[1]) + 64))
        self.tournament(*PERFECT, *RANDOM_PLAYER, "--games", 2000, "--max-games", 2000,
                        "--sprt", "0,20,0.05,0.05", status=6)

    def test_sprt_on_mistakes(self):
        run = self.tournament(*RANDOM_PLAYER, *PERFECT, "--games", 2000, "--max-games", 2000,
                              "--sprt-error", "0.1,0.5,0.05,0.05", status=6)
        decided = re.search(r"(?m)^LLR .* H1 accepted .*$", run.out.decode())
        self.assertIsNotNone(decided, run.report())
        self.assertIn(decided[0], self.arena("standings", self.folder / "record.db").out.decode())
        self.tournament(*PERFECT, *RANDOM_PLAYER, "--games", 2000, "--max-games", 2000,
                        "--sprt-error", "0.1,0.5,0.05,0.05", record="perfect.db", status=5)

    def test_nothing_is_claimed_about_a_player_without_games(self):
        run = self.tournament(*random_players(3), "--max-games", 2, "--position", "nim:1")
        rows = {words[1]: words for words in map(str.split, run.out.decode().splitlines())
                if len(words) > 6 and words[0].isdigit()}
        idle = next(words for words in rows.values() if words[2] == "0")
        self.assertEqual(idle[-6:-3], ["-", "-", "-"], idle)  # Elo, its error, LOS
        truth = run.out.decode().split("steals")[1].splitlines()[1:4]
        for line in truth:  # all moves were forced
            self.assertIn(" - ", line)
            self.assertNotIn("0.00", line)

    def test_a_finished_ladder_is_not_resumed_and_who_joins_it_is_named(self):
        players = [*player(zoo("decent"), name="A"), *player(zoo("decent"), name="B")]
        words = ["--format", "ladder", "--budget", "1ms", "--games", 20]
        self.tournament(*players, *words)
        games = self.games_recorded()
        self.tournament(*players, *words)
        self.assertEqual(self.games_recorded(), games)
        run = self.tournament(*players, *PERFECT, *words, status=0)
        self.assertIn("note: Perfect joined when the budget was up, and does not play",
                      run.out.decode())
        self.assertEqual(self.rows("SELECT max(round) FROM round"), [(1,)])

    def test_who_joins_a_ladder_after_its_most_games_is_named(self):
        players = [*player(zoo("decent"), name="A"), *player(zoo("decent"), name="B")]
        words = ["--format", "ladder", "--budget", "1h", "--max-games", 4]
        self.tournament(*players, *words)
        run = self.tournament(*players, *PERFECT, *words, status=0)
        self.assertIn("note: Perfect joined when --max-games was reached, and does not play",
                      run.out.decode())
        self.assertEqual(self.rows("SELECT count(*) FROM game"), [(4,)])

    def test_suite(self):
        suite = "nim,take{1,3,4};size=small;n=50%"
        self.tournament(*random_players(3), "--suite", suite, "--games", 20, status=0)
        positions = [row[0] for row in self.rows(
            "SELECT position FROM pair WHERE round = 1 AND pairing = 1 ORDER BY position_number")]
        printed = self.arena("suite", suite, "--count", 10, "--seed", 1).out.decode()
        self.assertEqual(positions, [line.split("  #")[0] for line in printed.splitlines()
                                     if not line.startswith("#")])
        run = self.tournament(*random_players(3), "--suite", "nim;size=tiny", record=None, status=2)
        self.assertIn("--suite", run.report())
        run = self.tournament(*random_players(3), "--suite", "nim;heaps=1;n=90%", record=None, status=2)
        self.assertIn("found no position of outcome P", run.report())

    def test_one_drawn_position_for_all_is_told(self):
        words = "note: all games start from one position, which is drawn"
        for games, players, told in ((2, 3, True), (4, 3, False), (2, 2, False)):
            run = self.tournament(*random_players(players), "--suite", "nim", "--games", games,
                                  record=None)
            self.assertEqual(words in run.out.decode(), told, run.out)
        run = self.tournament(*random_players(3), "--position", "nim:3,4,5", record=None)
        self.assertNotIn(words, run.out.decode())

    def test_an_interrupt_while_the_first_positions_are_drawn(self):
        # The values of these are unknown, after seconds of search.
        process = self.start(ARENA, "tournament", *random_players(2), "--suite",
                             "grundy+dawson-chess;misere=on;size=300..900;heaps=4", "--record",
                             self.folder / "record.db")

        def ticks():
            stat = pathlib.Path(f"/proc/{process.pid}/stat").read_text()
            return int(stat.rpartition(")")[2].split()[11])

        self.wait_until(lambda: process.poll() is not None or ticks() >= 10)
        process.send_signal(signal.SIGINT)
        self.end_of(process, -signal.SIGINT)
        self.assertFalse((self.folder / "record.db").exists())
        self.wait_until(lambda: not self.offspring())  # the guardian kills them


class Records(TournamentTest):
    """What is kept, and goes on."""

    def test_plays_the_missing_games_after_a_kill(self):
        # Two processes of A play 50 to 100 games each before they wait, of its 2000.
        arguments = ["tournament", *self.gated(name="A", moves=100), *player(GREEDY, name="B"), *PERFECT,
                     "--games", 1000, "--position", "nim:1,2", "--concurrency", 2, "--record",
                     self.folder / "record.db", "--seed", 5]
        dice = random.Random(7)
        kills = 0
        while kills < 8:
            process = self.start(ARENA, *arguments)
            wanted = dice.randrange(10, 50)
            before = self.games_recorded()
            self.wait_until(lambda: self.games_recorded() >= before + wanted)
            process.kill()
            self.assertEqual(process.wait(), -signal.SIGKILL)
            kills += 1
            self.wait_until(lambda: not self.offspring())  # the guardian kills them
        self.open_gate()
        run = self.arena(*arguments, status=0)
        self.assert_whole(3000)
        self.assertEqual(sum(self.points(run).values()), 3000)

    def test_resumes_after_an_interruption(self):
        arguments = ["tournament", *self.gated(name="A", moves=100), *PERFECT, "--games", 2000,
                     "--position", "nim:1,2", "--concurrency", 2, "--record",
                     self.folder / "record.db", "--seed", 5]
        process = self.start(ARENA, *arguments)
        self.wait_until(lambda: self.games_recorded() > 10)
        process.send_signal(signal.SIGINT)
        self.assertIn(b"the same command plays what is missing", self.end_of(process, 130).out)
        shown = self.arena("standings", self.folder / "record.db").out.decode()
        self.assertTrue(shown.startswith(f"{self.games_recorded()} of 2000 games are played\n"), shown)
        self.open_gate()
        self.arena(*arguments, status=0)
        self.assert_whole(2000)
        self.assertNotIn("are played", self.arena("standings", self.folder / "record.db").out.decode())

    def test_is_the_same_whatever_was_interrupted(self):
        games = "SELECT stage, round, pairing, position_number, leg, winner, moves FROM game " \
                "JOIN pair ON pair.id = game.pair ORDER BY 1, 2, 3, 4, 5"
        arguments = [*random_players(5), "--games", 20]
        self.tournament(*arguments, record="whole.db", seed=9)
        self.tournament(*arguments, "--max-games", 32, "--concurrency", 1, record="a.db", seed=9)
        self.tournament(*arguments, "--concurrency", 7, record="other.db", seed=9)
        whole = self.rows(games, "whole.db")
        self.assertEqual(len(whole), 200)
        self.assertEqual(whole, self.rows(games, "other.db"))
        self.assertEqual(whole[:20], self.rows(games, "a.db")[:20])

    def test_takes_the_seed_of_the_record(self):
        self.tournament(*random_players(3), seed=None)
        self.tournament(*random_players(3), seed=None, status=0)
        self.assert_whole(6)

    def test_refuses_another_configuration(self):
        self.tournament(*random_players(3), "--movetime", 500)
        log = self.folder / "log"
        log.write_text("of the run before\n")
        run = self.tournament(*random_players(3), "--movetime", 600, "--log", log, status=7)
        self.assertEqual(log.read_text(), "of the run before\n")
        self.assertEqual(run.report(),
                         f"nim-arena: {self.folder}/record.db was begun with other options:\n"
                         "  movetime: the record has 500, now 600\n"
                         "expected those to go on with it, or another file (--record) to begin anew\n")
        run = self.tournament(*random_players(3), "--games", 4, "--cycles", 2, "--movetime", 500, status=7)
        self.assertIn("  cycles: the record has 1, now 2\n  games: the record has 2, now 4\n"
                      "expected those to go on with it (it keeps its number of games: leave --games "
                      "out)", run.report())

    def test_a_record_with_too_few_games_is_resumed(self):
        """A record that was begun before this was an error."""
        positions = [word for heap in "345" for word in ("--position", f"nim:{heap}")]
        self.tournament(*random_players(2), *positions)
        self.change("DELETE FROM game", "DELETE FROM pair", "DELETE FROM round",
                    "UPDATE configuration SET value = '2' WHERE name = 'games'")
        run = self.tournament(*random_players(2), *positions, "--games", 2, status=2)
        self.assertIn("--games: read 2, expected 6 or more: 3 positions, and two games from each; a "
                      "record begun with fewer goes on without --games", run.report())
        self.tournament(*random_players(2), *positions, status=0)
        self.assert_whole(2)

    def test_prints_the_number_of_recorded_games(self):
        run = self.tournament(*random_players(3), "--games", 20, "--max-games", 14, status=0)
        self.assertNotIn("resuming", run.out.decode())
        self.assertEqual(self.games_recorded(), 14)
        self.assertNotIn("are played", self.arena("standings", self.folder / "record.db").out.decode())
        run = self.tournament(*random_players(3), "--games", 20, "--max-games", 14)
        self.assertIn(f"resuming {self.folder}/record.db: 14 of 14 games are kept\n", run.out.decode())
        run = self.tournament(*random_players(3), "--games", 20, "--max-games", 14, "--quiet")
        self.assertNotIn("resuming", run.out.decode())

    def bots_by_folder(self, *names):
        """Players of a pattern: a bot in each of these folders."""
        for name in names:
            folder = self.folder / "class" / name
            folder.mkdir(parents=True)
            (folder / "bot.py").symlink_to(ZOO / "decent.py")
        command = shlex.join([sys.executable, "-SB", "bot.py"])
        return ["--player", f'cmd="{command}" dir={self.folder}/class/* env.PYTHONPATH={ZOO}']

    def test_folders_that_a_pattern_finds_between_others_join(self):
        bots = self.bots_by_folder("ann", "cid")
        self.tournament(*bots, *PERFECT, "--games", 4, status=0)
        self.assert_whole(3 * 4)
        before = self.rows("SELECT p.player1, p.player2, g.leg, g.winner, g.moves FROM game g JOIN "
                           "pair p ON p.id = g.pair ORDER BY g.event")
        run = self.tournament(*self.bots_by_folder("bob", "eve"), *PERFECT, "--games", 4, status=0)
        self.assert_whole(10 * 4)
        self.assertIn("round-robin: 5 players, 40 games", run.out.decode())
        self.assertIn("games ended by: no-moves 40", run.out.decode())
        meetings = self.rows("SELECT min(player1, player2), max(player1, player2) FROM pair")
        self.assertEqual(len(set(meetings)), 10)
        self.assertEqual([row[0] for row in self.rows("SELECT name FROM entrant ORDER BY number")],
                         ["ann", "cid", "Perfect", "bob", "eve"])
        after = self.rows("SELECT p.player1, p.player2, g.leg, g.winner, g.moves FROM game g JOIN "
                          "pair p ON p.id = g.pair ORDER BY g.event")
        self.assertEqual(after[:len(before)], before)

    def test_a_player_keeps_its_name_when_another_of_its_kind_joins(self):
        first, second = random_players(1), ["--player", "cmd=builtin:random name=R2"]
        self.tournament(*first, *second)
        self.tournament(*first, "--player", "cmd=builtin:random name=New", *second, status=0)
        self.assertEqual(self.rows("SELECT name FROM entrant ORDER BY number"),
                         [("R1",), ("R2",), ("New",)])

    def test_only_players_that_are_missing_are_named(self):
        bots = self.bots_by_folder("ann", "cid", "dan")
        self.tournament(*bots, *PERFECT)
        (self.folder / "class" / "cid").rename(self.folder / "class" / "bea")
        run = self.tournament(*bots, *PERFECT, status=7)
        self.assertRegex(run.report(), r"record\.db has players that are not given now: cid \(cmd=[^;]*"
                         r"class/cid[^;]*\), and has not: bea \(cmd=[^;]*class/bea[^;]*\); a tournament goes on "
                         r"with the players it had, as they were given and in that order, with new "
                         r"ones besides\n$")
        self.assertNotIn("dan", run.report())
        (self.folder / "class" / "bea").rename(self.folder / "class" / "cid")
        run = self.tournament(*PERFECT, *bots, status=7)
        self.assertIn("record.db has the players in another order; a tournament", run.report())

    def test_usage_errors_leave_no_record(self):
        self.tournament(*random_players(2), "--format", "gauntlet", "--seeds", 3, status=2)
        self.assertFalse((self.folder / "record.db").exists())
        run = self.tournament(*random_players(2), "--events", "ev.jsonl", status=2)
        self.assertIn("expected jsonl", run.report())

    def test_nobody_joins_a_swiss_after_its_last_round(self):
        self.tournament(*random_players(4), "--format", "swiss", "--rounds", 3)
        run = self.tournament(*random_players(5), "--format", "swiss", "--rounds", 3, status=7)
        self.assertIn("all 3 rounds are planned, and who joins now would never play",
                      run.report())
        self.assertEqual(self.rows("SELECT count(*) FROM entrant"), [(4,)])

    def test_a_player_that_joins_before_round_1_plays_from_the_start(self):
        """The record of a run that was killed before it planned anything."""
        few = [*random_players(3), "--format", "knockout"]
        self.tournament(*few)
        tables = ("fault", "strike", "annotation", "game", "pair", "round")
        self.change(*(f"DELETE FROM {table}" for table in tables))
        more = [*random_players(4), "--format", "knockout"]
        for _ in range(2):  # also when it is resumed
            self.tournament(*more, status=0)
        self.assertEqual(self.rows("SELECT count(*) FROM entrant WHERE first_round = 1"), [(4,)])
        self.assertEqual(self.rows("SELECT count(*) FROM pair WHERE round = 1 AND attempt = 1"),
                         [(2,)])

    def test_a_knockout_of_players_that_do_not_start_has_an_end(self):
        bad = [word for i in range(3) for word in player(f"/no/such/{i}", name=f"Gone{i}")]
        run = self.tournament(*bad, "--format", "knockout", "--keep-going", "--strict", status=4)
        self.assertRegex(run.out.decode(), r"\nwinner: Gone\d\n")

    def test_players_are_started_at_the_same_time(self):
        """Each is ready only when all of them run, and a line says that this takes long."""
        script = f": >{self.folder}/up.$$; : <{self.gate()}; exec {RANDOM}"
        bots = [word for i in range(6) for word in player(shlex.join(["sh", "-c", script]), name=f"B{i}")]
        process = self.start(ARENA, "tournament", *bots, "--concurrency", 1, "--startup", 60000,
                             "--seed", 1)
        out = b""
        while b"starting the players: 0 of 6 have answered `ugi` by `ugiok`\n" not in out:
            piece = os.read(process.stdout.fileno(), 4096)
            self.assertTrue(piece, out)
            out += piece
        self.wait_until(lambda: len(list(self.folder.glob("up.*"))) == 6)
        self.open_gate()
        rest = self.end_of(process, 0).out
        self.assertEqual((out + rest).count(b"starting the players"), 1)
        self.assertIn(b"games ended by: no-moves 30", rest)


class Faults(TournamentTest):
    """Players that do not start, and what is forgiven."""

    def test_players_that_do_not_start_leave_no_record(self):
        run = self.tournament(*player("no-such-program", name="Typo"), *random_players(2), status=3)
        self.assertIn("no game was played; --keep-going plays without those that do not start", run.report())
        self.assertEqual(list(self.folder.glob("record.db*")), [], "it would refuse the right command")
        self.tournament(*player(zoo("decent"), name="Typo"), *random_players(2), status=0)

    def test_a_player_that_no_longer_starts_does_not_change_the_record(self):
        bot = self.folder / "bot.py"
        bot.symlink_to(ZOO / "decent.py")
        arguments = [*player(shlex.join([sys.executable, "-SB", str(bot)]),
                             **{"env_PYTHONPATH": ZOO}), *random_players(2), "--games", 4]
        self.tournament(*arguments, "--max-games", 4, status=0)
        run = self.tournament(*arguments, "--max-games", 4)
        self.assertEqual(run.status, 0, "nothing is missing, so nothing is started")
        bot.unlink()
        self.assertEqual(self.tournament(*arguments, "--max-games", 4).status, 0)

    def test_a_player_that_does_not_start_loses_and_the_others_play(self):
        run = self.tournament(*player("no-such-program", name="Bad"), *random_players(3),
                              "--games", 4, "--keep-going", status=0)
        self.assert_whole(6 * 4)
        self.assertEqual(self.rows("SELECT count(*) FROM game WHERE reason = 'startup'"),
                         [(12,)])
        self.assertIn("Bad lost 12 games by startup", run.out.decode())
        self.assertEqual(run.out.decode().count("Bad is out: it has failed to start 3 times"), 1)

    def test_faults_of_all_runs_are_reported(self):
        arguments = [*player(zoo("crash", "SIGSEGV"), name="Bad"), *PERFECT, "--faults",
                     "strikes=2", "--position", "nim:2,2"]
        first, again = (self.tournament(*arguments, seed=2) for _ in range(2))
        for run in first, again:
            self.assertIn("Bad lost 1 game by disconnected; game 1.1.1.1.1.1: its process was "
                          "ended by SIGSEGV", run.out.decode())
            self.assertIn("about to crash", run.out.decode())
            self.assertIn("Bad had 2 moves made for it by the arena", run.out.decode())


class Files(TournamentTest):
    """The file, names, and bots in folders."""

    def test_a_command_without_quotes(self):
        """Its last word is read as the file."""
        bot = self.folder / "bot.py"
        bot.write_text('"""A bot."""\nimport sys\n')
        run = self.arena("tournament", "--player", "cmd=python3", bot, "--player", "cmd=nim-greedy", status=2)
        self.assertIn(f"'{bot}' is no tournament file: quote the command, --player \"cmd='python3 {bot}'\"\n",
                      run.report())

    def test_example_file(self):
        path = self.folder / "spring.toml"
        full = self.start("prlimit", "--fsize=9", ARENA, "init", path)  # as on a full disk
        self.assertIn(b"File too large", full.communicate(timeout=PATIENCE)[1])
        self.assertEqual(self.arena("init", path).status, 0)
        self.assertEqual(self.arena("init", path).status, 1)  # does not overwrite
        other = self.folder / "my tour.toml"
        self.assertEqual(self.arena("init", other).out.decode(),
                         f"wrote {other}; next: nim-arena tournament '{other}'\n")
        self.tournament(path, status=0)
        self.assert_whole(6)

    def test_options_override_the_file(self):
        path = self.folder / "t.toml"
        path.write_text('games = 2\nmovetime = 100\nposition = ["nim:1,2", "nim:3"]\n'
                        '[[player]]\ncmd = "builtin:random"\nname = "Ann"\n'
                        '[[player]]\ncmd = "builtin:perfect"\n[player.option]\nSeed = 7\n')
        run = self.tournament(path, "--games", 6, "--tc", "1000+10", "--position", "nim:5,5", status=0)
        self.assert_whole(6)
        self.assertEqual(self.rows("SELECT DISTINCT position FROM pair"), [("nim:5,5",)])
        self.assertEqual(self.rows("SELECT value FROM configuration WHERE name = 'tc'"),
                         [("1000+10",)])
        self.assertIn("Ann", self.points(run))

    def test_mistakes_in_the_file(self):
        path = self.folder / "t.toml"
        for text, expected in (
                ("moevtime = 5\n", "line 1, column 12: unknown key 'moevtime', did you mean movetime?"),
                ("games = [2, 4]\n", "games: expected one value"),
                ("position = []\n", "position: expected at least one value"),
                ("quiet = 1\n", "quiet: expected true or false"),
                ("games = \n", "line 1"),
                ('player = "x"\n', "expected [[player]] and its keys"),
                ('[[player]]\nname = "Ann"\n', "line 1, column 1: player: "),
                ('[[player]]\nname = "Ann"\n', "cmd=PLAYER is missing"),
                ('[[player]]\ndri = "bots/*"\n',
                 "line 2, column 7: player: read key 'dri', expected cmd"),
                ('[[player]]\ncmd = "human"\n[[player]]\ncmd = "builtin:random"\nmovtime = 3\n',
                 "line 5, column 11: player: read key 'movtime', expected cmd"),
                ('[[player]]\ncmd = "builtin:random"\n[player.option]\n"a b" = 3\n', "line 4"),
                ('format = "swis"\n', "did you mean 'swiss'?"),
                ("rounds = 3\n", "--rounds is for the format swiss"),
                ('format = "ladder"\n', "needs --budget")):
            path.write_text(text)
            run = self.tournament(path, *random_players(2), record=None, status=2)
            self.assertIn(expected, run.report(), text)

    def test_names_that_look_alike(self):
        self.tournament(*self.introduced("player 2"), *self.introduced("other"),
                        "--position", "nim:3", status=0)
        names = "SELECT name FROM entrant ORDER BY number"
        self.assertEqual(self.rows(names), [("player 2",), ("other",)])
        again = self.tournament(*self.introduced("player 2"), *self.introduced("other"),
                                "--position", "nim:3")
        self.assertIn("other", self.points(again))
        told = self.tournament(*self.introduced("Ann"), *self.introduced("other"), "--position",
                               "nim:3", "--events", "jsonl", record=None)
        events = [json.loads(line) for line in told.out.decode().splitlines()]
        self.assertEqual([(event["player"], event["name"]) for event in events
                          if event["event"] == "name"], [(0, "Ann"), (1, "other")])
        self.assertEqual(self.rows(names), [("player 2",), ("other",)])

    def test_bots_are_found_and_built_in_their_folders(self):
        for name in ("ann", "bob", "eve"):
            (self.folder / "class" / name).mkdir(parents=True)
        bot = f'#!/bin/sh\nexec {shlex.join([sys.executable, "-SB", str(ZOO / "decent.py")])}\n'
        (self.folder / "class" / "ann" / "start.txt").write_text(bot)
        (self.folder / "class" / "bob" / "start.txt").write_text(bot)
        (self.folder / "class" / "bob" / "player.toml").write_text('build = "echo no; false"\n')
        (self.folder / "class" / "eve" / "nothing").touch()
        builds = self.folder / "builds"
        file = self.folder / "class.toml"
        file.write_text(f"""position = "nim:3,4,5"
movetime = 600000
startup = 600000
builds = "{builds}"
env = "inherit"
[[language]]
file = "start.txt"
build = "cp start.txt bot && chmod +x bot"
run = "./bot|./*"
[[player]]
dir = "{self.folder}/class/*"
[player.env]
PYTHONPATH = "{ZOO}"
[[player]]
cmd = "builtin:perfect"
""")
        run = self.tournament(file, status=3)
        self.assertIn("with --keep-going it loses its games", run.report())
        self.assertIn("bob: the build failed, `echo no; false`: it ended with exit status 1\n  no\n",
                      run.out.decode())
        self.assertIn("eve: found no bot, expected one of start.txt, or a player.toml", run.out.decode())
        run = self.tournament(file, "--keep-going", status=0)
        self.assertNotIn("failed to start", run.out.decode())
        self.assert_whole(12)
        for number, reason in ((0, "no-moves"), (1, "startup"), (2, "startup")):
            self.assertEqual(self.rows("SELECT DISTINCT g.reason FROM game g JOIN pair p ON g.pair = p.id "
                                       f"WHERE {number} IN (p.player1, p.player2) "
                                       "AND 3 IN (p.player1, p.player2)"), [(reason,)])
        self.assertEqual((builds / "bob" / "build.log").read_text(), "no\n")
        # The same command goes on with the same players, and builds what has changed.
        built = builds / "ann" / "build" / "bot"
        before = built.stat().st_mtime_ns
        self.assertEqual(self.tournament(file, "--keep-going").status, 0)
        self.assert_whole(12)
        self.assertEqual(built.stat().st_mtime_ns, before)
        (self.folder / "class" / "ann" / "start.txt").write_text(bot + "# more\n")
        self.tournament(file, "--keep-going")
        self.assertIn("# more", built.read_text())
        # Builds would take the place of what was handed in.
        run = self.tournament(file, "--builds", self.folder / "class", status=2)
        self.assertIn("lie in one another, expected folders apart", run.report())
        self.assertEqual(self.arena("check", file).status, 3, "it finds and builds them, too")

    @unittest.skipUnless(os.geteuid() == 0, "for root")
    def test_a_refused_tournament_builds_nothing(self):
        folder = self.folder / "class" / "eve"
        folder.mkdir(parents=True)
        (folder / "player.toml").write_text(f'build = "id -u >{self.folder}/built"\nrun = "./bot"\n')
        strangers = ["--player", f"dir={self.folder}/class/*", "--untrusted", "--keep-going", "--builds",
                     self.folder / "builds", "--games", 2]
        for more, reason in (([*RANDOM_PLAYER], "as root, programs of strangers could do anything"),
                             ([*RANDOM_PLAYER, "--run-as", "root"], "--run-as names root itself"),
                             (["--player", "cmd=true", "--run-as", "nobody"], "2 players would run as one user"),
                             ([*RANDOM_PLAYER, "--run-as", "nobody-at-all"], "there is no user 'nobody-at-all'")):
            run = self.tournament(*strangers, *more, status=3)
            self.assertIn(reason, run.report())
            self.assertFalse((self.folder / "built").exists(), reason)

    def a_class(self):
        """ann plays, bob does not compile."""
        for name in ("ann", "bob"):
            (self.folder / "class" / name).mkdir(parents=True)
            shutil.copy(ZOO / "decent.py", self.folder / "class" / name / "nim_bot.py")
        (self.folder / "class" / "bob" / "player.toml").write_text(
            "build = \"printf 'g++ -Werror bot.cpp\\\\nbot.cpp:3:44: error: no\\\\n'; yes more | head -20; false\"\n")
        return ["--player", f"dir=class/* env.PYTHONPATH={ZOO}", *PERFECT, "--games", 2, "--builds",
                self.folder / "builds", "--keep-going"]

    def at(self, folder, *arguments):
        """A tournament run in a folder, as paths are relative to it."""
        run = self.start(ARENA, "tournament", *arguments, "--record", folder / "record.db", "--seed", 1,
                         "--report", folder / "pages", cwd=folder)
        return self.end_of(run, 0).out.decode()

    def test_a_single_folder_names_its_player(self):
        self.a_class()
        words = [word for name in ("ann/", "bob") for word in
                 ("--player", f"dir=class/{name} env.PYTHONPATH={ZOO}")]
        (self.folder / "class" / "bob" / "player.toml").unlink()
        file = self.folder / "more.toml"
        file.write_text(f'[[player]]\ndir = "class/ann"\nname = "Ann"\n[player.env]\nPYTHONPATH = "{ZOO}"\n')
        self.at(self.folder, *words, *PERFECT, "--games", 2)
        self.assertEqual(self.rows("SELECT name FROM entrant ORDER BY number"), [("ann",), ("bob",), ("Perfect",)])
        (self.folder / "record.db").unlink()
        self.at(self.folder, file, *PERFECT, "--games", 2)
        self.assertEqual(self.rows("SELECT name FROM entrant ORDER BY number"), [("Ann",), ("Perfect",)])
        run = self.arena("tournament", "--player", f"dir={self.folder}/class/ann", *PERFECT, "--games", 2, "--builds",
                         file / "x")
        self.assertEqual((run.status, run.report()),
                         (1, f"nim-arena tournament: cannot write '{file}/x/ann': Not a directory\n"))
        (self.folder / "class" / "link").symlink_to("ann")
        run = self.arena("tournament", "--player", f"dir={self.folder}/class/link", *PERFECT, "--games", 2, "--builds",
                         self.folder / "builds", status=3)
        self.assertIn("link: it is a link, expected a folder or an archive\n", run.out.decode())

    def test_no_link_and_no_pipe_of_one_and_no_name_stops_the_others(self):
        for name in ("class/ann", "more/ann", "class/pipe"):
            (self.folder / name).mkdir(parents=True)
            shutil.copy(ZOO / "decent.py", self.folder / name / "nim_bot.py")
        os.mkfifo(self.folder / "class" / "pipe" / "pipe")
        (self.folder / "builds").mkdir()
        (self.folder / "class" / "link").symlink_to("../builds")
        words = [word for folder in ("class", "more")
                 for word in ("--player", f"dir={self.folder}/{folder}/* env.PYTHONPATH={ZOO}")]
        said = self.at(self.folder, *words, "--games", 2, "--builds", self.folder / "builds", "--keep-going")
        refused = f"dir: '{self.folder}/class/link' is a link, expected a directory: a pattern follows none"
        self.assertIn(f"link: {refused}\n", said)
        self.assertEqual(self.rows("SELECT name FROM entrant ORDER BY number"),
                         [("ann",), ("link",), ("pipe",), ("ann (2)",)])
        self.assertEqual({path.name for path in (self.folder / "builds").iterdir()}, {"ann", "pipe", "ann (2)"})
        self.assert_whole(12)
        run = self.arena("check", "--sandbox", "none", "--player", words[1], "--margin", 10_000, status=3)
        self.assertIn("1 of 3 bots keep to the protocol; not link, pipe\n", run.out.decode())

    def test_a_terminal_shows_how_long_a_build_takes(self):
        words = self.a_class()
        gate = self.fifo("gate")
        (self.folder / "class" / "bob" / "player.toml").write_text(f'build = "read line <{gate}"\n')
        said = self.run_on_a_terminal("tournament", words[0], f"dir={self.folder}/{words[1][4:]}", *words[2:],
                                      steps=[(r"building bob \(", lambda *_: gate.write_text("begin\n"))])
        self.assertRegex(said, r"building bob \(\d+ s\)")

    def test_who_was_not_built_is_told_why(self):
        said = self.at(self.folder, *self.a_class())
        self.assertIn("bob: the build failed, `", said)
        # The first error, although the log goes on after it.
        self.assertIn("  bot.cpp:3:44: error: no\n  …\n  more\n", said)
        self.assertNotIn("-Werror", said.replace("`printf 'g++ -Werror", ""))
        self.assertEqual(self.rows("SELECT DISTINCT detail FROM game WHERE reason = 'startup'"),
                         [(f"not built: bot.cpp:3:44: error: no; see {self.folder}/builds/bob/build.log",)])
        page = (self.folder / "pages" / "player-2.html").read_text()
        self.assertIn("not built: bot.cpp:3:44: error: no", page)
        self.assertIn(' dir=class/bob found=class/bob</p>', page)

    def test_a_repaired_bot_goes_on_in_the_same_record(self):
        words = self.a_class()
        self.at(self.folder, *words)
        (self.folder / "class" / "bob" / "player.toml").unlink()
        (self.folder / "class" / "cid").mkdir()
        shutil.copy(ZOO / "decent.py", self.folder / "class" / "cid" / "nim_bot.py")
        said = self.at(self.folder, *words)
        self.assertIn("6 of 12 games are kept", said)
        self.assertEqual(self.rows("SELECT count(*) FROM game WHERE reason = 'startup'"), [(4,)])
        # Also with another command, and where all of it has moved.
        (self.folder / "class" / "ann" / "nim_bot.py").rename(self.folder / "class" / "ann" / "bot.py")
        moved = self.folder / "moved"
        moved.mkdir()
        for name in ("class", "builds", "record.db"):
            (self.folder / name).rename(moved / name)
        words[words.index("--builds") + 1] = moved / "builds"
        self.assertIn("12 of 12 games are kept", self.at(moved, *words))


class Told(TournamentTest):
    def test_events(self):
        run = self.tournament(*PERFECT, *player(zoo("answers", "bestmove 1=99"), name="Bad"),
                              "--faults", "strikes=2", "--events", "jsonl", "--position", "nim:3,4,5", status=0)
        events = [json.loads(line) for line in run.out.decode().splitlines()]
        self.assertEqual(events[0]["event"], "tournament")
        self.assertEqual(events[0]["version"], 1)
        self.assertEqual(events[0]["players"], ["Perfect", "Bad"])
        kinds = [event["event"] for event in events]
        self.assertEqual(kinds.count("game"), 2)
        self.assertEqual(kinds.count("fault"), 2)
        self.assertEqual(kinds[-1], "standing")
        self.assertIn(b'"points":2,', run.out)
        for kind in ("move", "game", "strike", "fault"):
            self.assertEqual({event["game"] for event in events if event["event"] == kind},
                             {"1.1.1.1.1.1", "1.1.1.1.1.2"}, kind)

    def test_events_without_a_reader(self):
        for opened in (False, True):  # the FIFO has no reader, or one that stalls
            with self.subTest(opened=opened):
                fifo, record = self.folder / f"events{opened}", f"record{opened}.db"
                os.mkfifo(fifo)
                process = self.start(
                    ARENA, "tournament", *random_players(2), *self.gated(moves=2000), "--games",
                    100_000, "--position", "nim:1,2", "--concurrency", 2, "--record",
                    self.folder / record, "--events", f"jsonl:{fifo}")
                reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK) if opened else None
                # More moves than a pipe holds.
                self.wait_until(lambda: self.games_recorded(record) > 1000)
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=PATIENCE)
                if opened:
                    os.close(reader)
                self.assertEqual(process.returncode, 130, err)
                self.assertIn("nobody reads it, and some lines are lost", err.decode())
                self.assertIn("the same command plays what is missing", out.decode())

    def test_outputs_that_cannot_be_written_are_named_before_the_first_game(self):
        (self.folder / "file").write_text("mine")
        for directory in (self.folder / "file", self.folder / "file" / "pages", "/proc/self"):
            run = self.tournament(*random_players(2), "--report", directory, status=1)
            self.assertIn("cannot be", run.report())
            self.assertFalse((self.folder / "record.db").exists(), directory)
        self.assertEqual((self.folder / "file").read_text(), "mine")
        run = self.tournament(*random_players(2), "--events", f"jsonl:{self.folder}", status=1)
        self.assertIn("cannot write the events", run.report())
        self.assertEqual(self.rows("SELECT count(*) FROM game"), [(0,)])
        run = self.arena("match", "builtin:random", "builtin:perfect", "--jsonl", self.folder)
        self.assertEqual((run.status, run.out), (1, b""))
        record = self.folder / "record.db"
        for words in (("export", record, "--format", "pgn", "-o", self.folder),
                      ("report", record, "-o", self.folder / "file")):
            run = self.arena(*words, status=1)
            self.assertNotIn(b"analysed", run.out)

    def test_events_that_cannot_be_written(self):
        run = self.tournament(*random_players(2), "--events", "jsonl:/dev/full", status=1)
        self.assertIn("cannot write the events '/dev/full': No space left", run.report())

    def test_warns_of_too_many_concurrent_games(self):
        run = self.tournament(*random_players(2), "--games", 20000, "--max-games", 2,
                              "--concurrency", 4096)
        self.assertIn("warning", run.out.decode())

    def test_doctor(self):
        run = self.arena("doctor")
        self.assertIn(run.status, (0, 1), run.report())
        said = run.out.decode()
        self.assertRegex(said, r"a move takes at least +\d+ us")
        self.assertEqual("wrong:" in said, run.status == 1, said)
        self.assertEqual(said.count("--sandbox bwrap"), 1, said)
        self.assertNotIn("nim-arena doctor", said, "which this is")
        self.assertEqual(self.arena("doctor", "now").status, 2)

    def test_warns_of_a_clock_below_the_floor(self):
        run = self.tournament(*player(RANDOM, name="Hasty"), *PERFECT, "--tc", "1+0", "--hang", 1000)
        self.assertIn("warning: Hasty has 0.02 ms for a move", run.out.decode())
