"""The uses of a record: export, show, replay."""
from arena import *

SEEDED = player(RANDOM, name='Rand "om" \\ {1}')


class Records(ArenaTest):
    def play(self, *arguments):
        self.record = self.folder / "record.db"
        self.arena("tournament", *arguments, "--record", self.record, "--seed", 7,
                   "--quiet", status=0)

    def games(self):
        run = self.arena("export", self.record, "--format", "jsonl", status=0)
        return [json.loads(line) for line in run.out.decode().splitlines()]

    def replay(self, game, *arguments, status=None):
        return self.arena("replay", self.record, game, *arguments, status=status)

    def sent(self, log, seed):
        """The lines sent to a player in the game with that seed."""
        lines = [line.split(" < ", 1)[1] for line in log.read_text().splitlines()
                 if " < " in line]
        begin = lines.index(f"setoption name Seed value {seed}")
        ends = ("setoption name Seed", "quit")
        end = next(i for i in range(begin + 1, len(lines)) if lines[i].startswith(ends))
        return lines[begin:end]

    def test_an_export_overwrites_no_record_and_says_when_it_fails(self):
        self.play(*SEEDED, *GOOD, "--games", 2)
        before = self.record.read_bytes()
        run = self.arena("export", self.record, "--format", "pgn", "-o",
                         self.folder / "." / "record.db", status=2)
        self.assertIn("the record and --output: expected two different files", run.report())
        copy = self.folder / "copy.db"
        copy.write_bytes(before)
        run = self.arena("export", self.record, "--format", "pgn", "-o", copy, status=1)
        self.assertIn("it is a record, expected another file", run.report())
        self.assertEqual(copy.read_bytes(), before)
        self.assertEqual(self.record.read_bytes(), before)
        run = self.arena("export", self.record, "--format", "pgn", "-o", "/dev/full", status=1)
        self.assertIn("cannot write to '/dev/full': No space left on device", run.report())

    def test_lists_games(self):
        self.play(*player(zoo("answers", "bestmove 9=9"), name="Bad"), *GOOD,
                  *player("builtin:random", name="Chance"), "--games", 8, "--position", "nim:3,4,5")

        def listed(*options, status=0):
            run = self.arena("games", self.record, *options, status=status)
            return run.out.decode().splitlines() if status == 0 else run.report()

        lines = listed()
        self.assertEqual(lines[-1], "24 games")
        for line in lines[:-1]:
            self.assertRegex(line, r"^1(\.\d+){5}  \w+ beat \w+ in \d moves? \([a-z-]+\), from "
                                   r"nim:3,4,5$|in 0 moves \(illegal-move\)")
        bad = listed("--player", "Bad")
        self.assertEqual(bad, listed("--player", 1))
        self.assertEqual(bad[-1], "16 of 24 games")
        faults = listed("--faults")
        self.assertEqual(faults[-1], "16 of 24 games")
        self.assertRegex(faults[0], "; Bad is at fault: .*9=9")
        self.assertEqual(listed("--player", 2, "--faults"), ["0 of 24 games"])
        thrown = listed("--player", "Chance", "--thrown")
        self.assertGreater(len(thrown), 1)
        self.assertRegex(thrown[0], r"; Chance threw it by move \d+, [123]=\d$")
        self.assertIn("read 'Nobody', expected a number 1..3 or one of the names: Bad, Good, Chance",
                      listed("--player", "Nobody", status=1))
        self.assertIn("names: Bad, Good, Chance, did you mean 'Good'?", listed("--player", "Godo", status=1))

    def test_no_other_file_is_left_with_a_record(self):
        self.play(*SEEDED, *GOOD, "--games", 2)
        for words in (["games", self.record], ["report", self.record, "-o", self.folder / "pages"],
                      ["replay", self.record, "1.1.1.1.1.1"]):
            self.arena(*words, status=0)
            self.assertEqual([path.name for path in self.folder.glob("record*")], ["record.db"], words)

    def test_a_copy_is_whole_or_unfinished(self):
        self.play(*SEEDED, *GOOD, "--games", 4)
        whole, unfinished = self.folder / "whole.db", self.folder / "unfinished.db"
        run = self.arena("copy", self.record, whole, status=0)
        self.assertEqual(run.out, b"2 players, 1 round and 4 games copied\n")
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.db*")), ["record.db", "whole.db"])
        with contextlib.closing(sqlite3.connect(self.record)) as connection, connection:
            connection.execute("DELETE FROM game WHERE event = 5")
        run = self.arena("copy", self.record, unfinished, status=7)
        self.assertEqual(run.report(), f"nim-arena: '{self.record}' is damaged, and no exact copy can be "
                                       "made:\n  event 5 is missing\n")
        run = self.arena("tournament", *SEEDED, *GOOD, "--record", unfinished, status=7)
        self.assertIn("this is an unfinished copy", run.report())
        run = self.arena("copy", self.record, status=2)
        self.assertIn("expected two: FROM and TO", run.report())

    def test_replays_the_same_bytes(self):
        log = self.folder / "tournament.log"
        self.play(*SEEDED, *GOOD, "--games", 4, "--tc", "60000+500", "--concurrency", 1,
                  "--log", log)
        for game in self.games():
            seat = 0 if game["p1"].startswith("Rand") else 1
            again = self.folder / "replay.log"
            run = self.replay(game["game"], "--log", again, "--player", seat + 1, status=0)
            self.assertIn("answers as recorded", run.out.decode())
            seed = game["seeds"][seat]
            self.assertEqual(self.sent(again, seed), self.sent(log, seed))
            self.assertGreater(len(self.sent(log, seed)), 3)

    def test_replay_shows_the_first_answer_that_differs(self):
        self.play(*SEEDED, *GOOD, "--games", 2, "--position", "nim:3,4,5")
        run = self.replay("1.1.1.1.1.1", "--player", 1, "--", sys.executable, ZOO / "answers.py",
                          "bestmove 9=9", status=1)
        self.assertRegex(run.out.decode(),
                         r"answer 1 differs, the move at ply 1\n"
                         r"  position  nim:3,4,5\n"
                         r"  asked     position fen nim:3,4,5\n"
                         r"  recorded  [123]=[0-4]\n"
                         r"  now       illegal-move 'bestmove 9=9'\n")

    def test_replay_compares_moves_that_were_illegal(self):
        self.play(*player(zoo("answers", "bestmove 9=9"), name="Bad"), *GOOD, "--games", 2,
                  "--faults", "strikes=2", "--position", "nim:3,4,5,6")
        run = self.replay("1.1.1.1.1.1", status=0)
        self.assertIn("Bad: all 2 answers as recorded\n"
                      "  the last: an illegal move again: bestmove 9=9\n", run.out.decode())
        run = self.replay("1.1.1.1.1.1", "--player", 2, "--", sys.executable, ZOO / "answers.py",
                          "bestmove 8=8", status=1)
        self.assertIn("  recorded  illegal-move 'bestmove 9=9'\n"
                      "  now       illegal-move 'bestmove 8=8'\n", run.out.decode())

    def test_replay_compares_also_faults_whose_texts_were_not_kept(self):
        self.play(*player(zoo("answers", "bestmove 9=9"), name="Bad"), *GOOD, "--games", 2,
                  "--faults", "replace", "--position", "nim:" + ",".join(["1"] * 204))
        run = self.replay("1.1.1.1.1.1", status=0)
        self.assertIn("Bad: all 102 answers as recorded\n", run.out.decode())
        moved = "by the arena: illegal-move"
        shown = self.arena("show", self.record, "1.1.1.1.1.1").out.decode()
        self.assertEqual(shown.count(moved + ", read 'bestmove 9=9'"), 100)
        self.assertEqual(shown.count(moved + ")"), 2)

    def test_the_numbers_of_lines_are_those_of_the_schedule(self):
        lines = self.folder / "games.jsonl"
        self.arena("match", *player(zoo("waits", "1"), name="Zoo"), "builtin:random", "--games",
                   40, "--position", "nim:3,4,5", "--concurrency", 8, "--record",
                   self.folder / "record.db", "--jsonl", lines, status=0)
        self.record = self.folder / "record.db"
        told = [json.loads(line) for line in lines.read_text().splitlines()]
        kept = self.games()
        told.sort(key=lambda game: game["game"])
        self.assertEqual([game["game"] for game in told], list(range(1, 41)))
        self.assertEqual([game["seeds"] for game in told], [game["seeds"] for game in kept])

    def test_replay_asks_for_recorded_faults_again(self):
        self.play(*player(zoo("exit_in_a_move"), name="Gone"), *GOOD, "--games", 2,
                  "--position", "nim:3,4,5")
        run = self.replay("1.1.1.1.1.1", status=0)
        self.assertRegex(run.out.decode(),
                         r"Gone: all 1 answers as recorded\n  the last: it ended again: .*exit status \d")

    def test_replay_asks_nothing_where_a_player_was_not_ready_for_the_game(self):
        self.play(*SEEDED, *GOOD, "--games", 2, "--position", "nim:3,4,5")
        with contextlib.closing(sqlite3.connect(self.record)) as file, file:
            file.execute("UPDATE game SET reason = 'timeout', winner = 1, moves = '', times = x''")
            file.execute("INSERT INTO fault SELECT event, 2, '', 'readyok', '', NULL, NULL FROM game")
        for game in ("1.1.1.1.1.1", "1.1.1.1.1.2"):
            run = self.replay(game, status=0)
            self.assertEqual(run.out.decode().count("all 0 answers as recorded"), 2, run.report())

    def test_replay_reports_a_player_that_does_not_start(self):
        self.play(*SEEDED, *GOOD, "--games", 2)
        run = self.replay("1.1.1.1.1.1", "--player", 1, "--", self.folder / "none", status=3)
        self.assertIn("cannot be asked: cannot start ", run.out.decode())

    def test_replay_asks_no_person(self):
        self.record = self.folder / "record.db"
        match = self.start(ARENA, "match", "human", "builtin:perfect", "--position", "nim:3,3", "--games", 2,
                           "--record", self.record, "--seed", 3, stdin=subprocess.PIPE)
        _, err = match.communicate(b"1=0\nquit\n", timeout=PATIENCE)
        self.assertEqual(match.returncode, 0, err)
        run = self.replay(1)
        self.assertEqual((run.status, run.report()), (3, ""))
        self.assertEqual(run.out.decode(),
                         "p1 human: cannot be asked: it is a person: expected --player 1 -- COMMAND in its place\n"
                         "p2 perfect: all 1 answers as recorded\n")
        run = self.replay(1, "--player", 1, "--", sys.executable, ZOO / "answers.py", "bestmove 1=0")
        self.assertEqual(run.out.decode(), "p1 human: all 1 answers as recorded\n", run.report())

    def test_replay_notes_another_folder_and_shows_stderr(self):
        bot = self.folder / "bot.py"
        bot.symlink_to(ZOO / "decent.py")
        words = [ARENA, "tournament", *player(f"{sys.executable} -SB bot.py", name="Ann",
                                              env_PYTHONPATH=ZOO), *GOOD, "--record", "r.db"]
        self.end_of(self.start(*words, cwd=self.folder), 0)
        here = self.start(ARENA, "replay", "r.db", "1.1.1.1.1.1", "--player", 2, cwd=self.folder)
        self.assertNotIn(b"note:", self.end_of(here).out)
        (self.folder / "other").mkdir()
        elsewhere = self.start(ARENA, "replay", self.folder / "r.db", "1.1.1.1.1.1", "--player", 2,
                               cwd=self.folder / "other")
        self.assertRegex(self.end_of(elsewhere, 3).out.decode(),
                         r"note: p2 is not started as it was\n"
                         rf"  recorded  cmd=.* \(in {re.escape(str(self.folder.resolve()))}\)\n"
                         r"  now       cmd=.* \(in .*\)\n"
                         r"p2 Ann: cannot be asked: no 'ugiok': .*\n"
                         r"    its last lines on stderr:\n      \| .*bot\.py.*\n")
