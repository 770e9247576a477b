"""All kinds of bad and odd bots among honest ones: each ends as its first line says, in time."""
import csv
import io

from hostile import *
from test_report import Page

PGN_EXTRACT = "/usr/games/pgn-extract"  # where Debian puts it

# Signals whose default action ends a process.
# Of each kind: by a terminal, a fault of its own, another process, the kernel; and the odd names.
DEADLY = ["SIGINT", "SIGABRT", "SIGSEGV", "SIGKILL", "SIGPIPE", "SIGXCPU", "SIGSYS", "SIGIO", "SIGRTMIN",
          "SIGRTMAX"]

MIXED = "nim:3,4,5+wythoff:(3,5)+kayles:7+graph{a->b,c;b->c}:a+rules{n->x,n-x:0<x&x<n-x}:7"
ILLEGAL = [  # more of them in the tests of the referee and of MoveError
    "0=0", "8=0", "+1=0", "1.0=0", "18446744073709551615=0", "9" * 100000 + "=0", "x=0",  # the heap's number
    "1=3", "1=99", "1=0,2=0", "1=" + "0," * 50000 + "1",
    "4=3", "4=(3,5)", "4=(2,3)", "4=(4,4)", "4=(2,4,0)", "4=(2,", "4=(-1,1)", "4=(3,5),0",
    "5=7", "5=6,1", "5=2,2,2", "5=8", "5=6,-0", "6=a", "6=z", "6=b,c", "6=", "6=->", "7=3,3",
    "7=7", "7=0,7", "7=1,2,4",
    "none", "null", "bestmove", "%s%n%x", "../../etc/passwd", "1\uff1d0",
    "\u202e1=0", "'; DROP TABLE game; --", "<script>alert(1)</script>", "=1+1", "{}", "\\",
    "\x1b[2J"]

# The tags of our pages.
OURS = set("""html head meta title style body header main footer h1 h2 h3 p a b i div span code pre
           table thead tbody tr th td dl dt dd ul li details summary figure figcaption svg line
           polyline rect text noscript script small""".split())


class Bots(HostileTest):
    def test_no_move_in_time(self):
        games = self.play([Bot("hang"), Bot("drip"), Bot("garbage"), Bot("half_a_line", movetime=3000),
                           Bot("stops"), Bot("too_late")])
        for game in games["half_a_line"]:
            self.assertIn("its last line has no end", game["detail"])

    def test_never_reads(self):
        # Longer than a pipe holds, so the arena has to give up writing.
        games = self.play([Bot("never_reads")], position="nim:" + "0," * 40000 + "3,4,5")
        for game in games["never_reads"]:
            self.assertIn("did not read what it was sent in time", game["detail"])

    def test_crashes_by_signals(self):
        # sigabbrev_np has no names for real-time signals, and the old one for SIGIO.
        name = {"SIGRTMIN": "signal 34", "SIGRTMAX": "signal 64", "SIGIO": "SIGPOLL"}
        self.play([Bot("crash", number, exit={"signal": name.get(number, number)})
                   for number in DEADLY], movetime=LONG)

    def test_gone(self):
        bots = [Bot("exit_before_a_move", exit={"code": 5}),
                Bot("exit_in_a_move", exit={"code": 6}),
                Bot("exit_after_half_a_line", exit={"code": 0}),
                Bot("exit_after_a_move", exit={"code": 0}), Bot("closes_stdout"),
                Bot("closes_stdin"), Bot("leaves_a_child", exit={"code": 3}),
                Bot("strange_stderr", exit={"code": 7})]
        games = self.play(bots, movetime=LONG)
        for game in games["exit_after_a_move"] + games["closes_stdin"]:
            self.assertGreaterEqual(len(game["moves"]), 2, "the move counts")

    def test_the_last_move_counts(self):
        # Its exit is too late to cost it the game.
        run = self.nim_arena("match", *Bot("exit_after_a_move", name="Bad").player(), *HONEST[0],
                             "--position", "nim:1", "--games", 2, "--jsonl", "-", "--strict")
        for game in run.games():
            self.assertEqual((game["reason"], game["winner"], game["moves"]),
                             ("no-moves", "p1", ["1=0"]))

    def test_gone_before_the_start(self):
        self.play([Bot("exit_in_handshake", exit={"code": 9}),
                   Bot("crash_in_handshake", exit={"signal": "SIGSEGV"})])

    def test_no_start_in_time(self):
        # Against a player inside the arena: one that is a process could miss these limits itself.
        bots = [Bot("silent_handshake"), Bot("endless_handshake"), Bot("never_ready")]
        players = [player("builtin:perfect", name="Hero")] + [bot.player() for bot in bots]
        events, games = self.tournament(players, "nim:3,4,5", LONG, 1000, self.record, False)
        faults = {event["game"] for event in events if event["event"] == "fault"}
        for pairing, bot in enumerate(bots, 1):
            self.judge(bot, [game for key, game in games.items() if int(key.split(".")[1]) == pairing], faults)


class Answers(HostileTest):
    def test_illegal_moves(self):
        self.play([Bot("answers", "bestmove " + word, name=f"Bad{i}")
                   for i, word in enumerate(ILLEGAL)]
                  + [Bot("nul_in_a_move"), Bot("move_that_is_no_text"), Bot("endless_move")],
                  position=MIXED, movetime=LONG)
        self.assertLess(self.record.stat().st_size, 1 << 20, "a move may have a million digits")

    def test_what_is_no_reply(self):
        self.play([Bot("bestmove_alone"), Bot("endless_line"), Bot("long_line")], movetime=LONG)

    def test_floods(self):
        # Without a log, which keeps every line and takes longer than the bots do.
        self.play([Bot("floods_stdout"), Bot("floods_lines"), Bot("floods_off_turn"),
                   Bot("leaves_a_flood", exit={"code": 3}), Bot("floods_handshake"),
                   Bot("many_lines_before_a_move"), Bot("floods_stderr_off_turn")],
                  movetime=LONG, logged=False)

    def test_floods_stderr(self):
        mebibytes = os.environ.get("NIMARENA_FLOOD_MIB", "128")
        self.play([Bot("floods_stderr", mebibytes, movetime=LONG)])
        self.assertLess(self.log.stat().st_size, 64 << 20)
        self.assertTrue(" ! ... more is left out of this log\n" in self.log.read_text())


class Odd(HostileTest):
    """What is no fault, and is cleared away after the game."""

    def test_odd_but_innocent(self):
        bots = ["decent", "carriage_returns", "blanks", "ponders", "two_bestmoves",
                "bestmove_unasked", "garbage_before_a_move", "byte_by_byte",
                "ignores_quit", "ignores_quit_and_sigterm", "starts_slowly", "closes_stderr",
                "daemonizes", "daemonizes_in_disguise", "raises_its_limits"]
        games = self.play([Bot(kind, movetime=LONG) for kind in bots]
                          + [Bot("burns_off_turn", movetime=LONG, restart="on"),
                             Bot("impostor", "Hero", name=None, movetime=LONG)])
        for game in games[None]:
            self.assertNotEqual(game["p1"], game["p2"])

    def test_left_behind_between_games(self):
        self.play([Bot(kind, movetime=LONG, restart="on")
                   for kind in ("ignores_quit_and_sigterm", "daemonizes",
                                "daemonizes_in_disguise")])

    def test_litters(self):
        # Its directory is removed with all of its contents; the targets of its links are not.
        other = self.folder / "other"
        other.mkdir(mode=0o750)
        (other / "file").write_text("kept")
        for restart in ("off", "on"):
            self.record.unlink(missing_ok=True)
            self.play([Bot("litters", str(other), movetime=LONG, restart=restart)])
            self.assertEqual((other / "file").read_text(), "kept")
            self.assertEqual(other.stat().st_mode & 0o777, 0o750)


class Forgiven(HostileTest):
    """Moves replace faults, and lost players are restarted: the games continue."""

    def test_forgiven(self):
        bots = [Bot("hang", movetime=300), Bot("half_a_line", movetime=300),
                Bot("too_late", movetime=300), Bot("closes_stdin"), Bot("crash", "SIGSEGV"),
                Bot("exit_before_a_move"), Bot("closes_stdout"), Bot("leaves_a_child"),
                Bot("bestmove_alone"), Bot("endless_line"), Bot("answers", "bestmove 0=0"),
                Bot("nul_in_a_move")]
        self.forgiven(bots, "replace", {"no-moves"})

    def test_forgiven_once(self):
        bots = [Bot("drip", movetime=300), Bot("crash", "SIGKILL"), Bot("long_line"),
                Bot("answers", "bestmove =")]
        self.forgiven(bots, "strikes=2", None)

    def forgiven(self, bots, faults, outcome):
        players = HONEST + [bot.player() for bot in bots]
        events, games = self.tournament(players, "nim:2,3,3", LONG, LONG, self.record,
                                        False, "--faults", faults, "--grace", 200)
        for game in games.values():
            pairing = int(game["game"].split(".")[1])
            if pairing < len(HONEST):
                self.assertEqual(game["reason"], "no-moves", game)
                continue
            bot = bots[pairing - len(HONEST)]
            with self.subTest(bot=bot.name):
                strikes = [event["reason"] for event in events if event["event"] == "strike"
                           and event["game"] == game["game"]]
                self.assertIn(game["reason"], outcome or bot.outcome, game)
                self.assertLessEqual(set(strikes), bot.outcome)
                self.assertGreater(len(strikes), 0)
                if outcome:
                    self.assertEqual("p1" if len(game["moves"]) % 2 else "p2", game["winner"])
                else:
                    self.assertEqual(len(strikes), 1)


class Checked(HostileTest):
    def test_each_fault_is_explained(self):
        """`nim-arena check`, many at a time: it ends, and fails the bots that would lose."""
        bots = [Bot("hang"), Bot("drip"), Bot("half_a_line"), Bot("stops"), Bot("closes_stdin"),
                Bot("closes_stdout"), Bot("leaves_a_child"), Bot("endless_line"),
                Bot("floods_stdout"), Bot("floods_off_turn"), Bot("never_reads"), Bot("garbage"),
                Bot("exit_after_a_move"), Bot("exit_in_handshake"), Bot("floods_handshake"),
                Bot("strange_stderr"), Bot("strange_name"), Bot("answers", "bestmove \x1b[2J")]
        checks = [self.start(ARENA, "check", zoo(bot.kind, *bot.arguments), "--startup", LONG, cwd=self.work,
                             *["--margin", 10_000] * ("no-moves" in bot.outcome))
                  for bot in bots]
        for bot, check in zip(bots, checks):
            with self.subTest(bot=bot.name):
                out, err = check.communicate(timeout=PATIENCE)
                said = self.assert_words(out) + self.assert_words(err)
                status = {"no-moves": 0, "startup": 3}.get(min(bot.outcome), 1)
                self.assertEqual(check.returncode, status, said)
                self.assertEqual("FAILED" in said, status > 0)
        self.assert_nothing_left()


class Records(HostileTest):
    """Output about them is intact: strangers' text appears there only as text."""

    def test_words_of_strangers(self):
        words = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a\u202eb&amp;'c",
                 "\u202e1=0", "\x1b[2J", '"}],', "{;)", "=1+1"]
        bots = [Bot("strange_name", name=None, movetime=LONG),
                Bot("long_name", name=None, movetime=LONG), Bot("strange_stderr"), Bot("garbage"),
                *[Bot("answers", "bestmove " + word, name=word.replace("\x1b", ""))
                  for word in words]]
        players = HONEST + [bot.player() for bot in bots]
        pages = self.folder / "pages"
        run = self.nim_arena("tournament", "--format", "gauntlet", "--seed", 5, "--position",
                             "nim:3,4,5", "--movetime", 300, "--record", self.record, "--report",
                             pages, "--name", "<b>Zoo</b> \u202e", "--log", self.log, "--events",
                             "jsonl", *[word for one in players for word in one])
        for data in (run.out, run.err, self.log.read_bytes()):
            self.assert_words(data)
        count = 2 * (len(players) - 1)
        events = run.out.decode().splitlines()
        self.assertEqual(sum(json.loads(line)["event"] == "game" for line in events), count)
        names = [row["name"] for row in json.loads(events[-1])["rows"]]
        self.assertIn("N\\x00 \\x1b[1m \ufffd \u00e4 \\u202e </script><b>", names)
        self.assertLess(max(map(len, names)), 100)
        self.check_pages(pages, len(players))
        text = " ".join(Page((pages / "index.html").read_text(encoding="utf-8")).text)
        for shown in (words[0], words[1], "a\\u202eb&amp;'c", "</script><b> <!--", "illegal-move"):
            self.assertIn(shown, text)
        games = Page((pages / f"player-{players.index(bots[4].player()) + 1}.html").read_text(encoding="utf-8"))
        self.assertIn(words[0], json.loads(games.scripts["games"])["games"][0]["players"])
        self.check_pgn(count)
        games = self.assert_words(self.nim_arena("export", self.record, "--format", "jsonl").out)
        self.assertEqual(len([json.loads(line) for line in games.splitlines()]), count)
        for form in ("csv", "grades"):
            table = self.assert_words(self.nim_arena("export", self.record, "--format", form).out)
            rows = list(csv.DictReader(io.StringIO(table, newline="")))
            self.assertEqual(len(rows), len(players))
            self.assertFalse([row for row in rows if row["player"][0] in "=+-@"], "a formula")
        for pairing in range(1, len(players)):
            shown = self.nim_arena("show", self.record, f"1.{pairing}.1.1.1.1").out
            self.assert_words(shown)

    def check_pages(self, folder, players):
        files = list(folder.iterdir())
        self.assertEqual(len(files), players + 1)
        for file in files:
            page = Page(self.assert_words(file.read_bytes()))
            self.assertLessEqual(set(page.tags), OURS)
            self.assertEqual(page.tags.count("script"), len(page.scripts))
            for text in filter(None, (page.scripts.get("games"),)):
                json.loads(text)
                self.assertNotRegex(text, "[<>&]")

    def check_pgn(self, count):
        target = self.folder / "games.pgn"
        self.nim_arena("export", self.record, "--format", "pgn", "-o", target)
        self.assert_words(target.read_bytes())
        read = subprocess.run([PGN_EXTRACT, target], capture_output=True, timeout=PATIENCE)
        said = read.stderr.decode().splitlines()
        self.assertEqual((read.returncode, said[-1]), (0, f"{count} games matched out of {count}."))
        # The file, a line for each game, the total: no error.
        self.assertEqual(len(said), count + 2, said)


class Zoo(HostileTest):
    def test_leftovers_are_detected(self):
        for kind in ("daemonizes", "daemonizes_in_disguise"):
            bot = self.start(sys.executable, "-B", ZOO / (kind + ".py"), cwd=self.work,
                             stdin=subprocess.PIPE)
            bot.communicate(timeout=PATIENCE)
            self.wait_until(lambda: len(self.offspring()) == 1)
            with self.assertRaises(AssertionError):
                self.assert_nothing_left()
            self.kill_what_is_left()
            self.wait_until(lambda: not self.offspring())

    def test_every_bot_states_its_result_and_is_tested(self):
        here = pathlib.Path(__file__).resolve()
        tests = "".join(file.read_text() for folder in ("e2e", "hostile")
                        for file in (here.parents[1] / folder).glob("test_*.py"))
        files = set(ZOO.glob("*.py")) - {ZOO / "bot.py"}
        self.assertGreater(len(files), 40)
        for file in files:
            outcome_of(file)
            self.assertIn(f'"{file.stem}"', tests)
