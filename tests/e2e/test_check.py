"""nim-arena check: a bot with one mistake fails the point about it, and no other."""
import pty
import re

from arena import *

CHECKED = pathlib.Path(__file__).resolve().parent / "bots" / "checked.py"
PYTHON_BOTS = ROOT / "bots" / "python"

# Enough time for a machine busy with other tests; late bots here are late by seconds.
TIMES = ("--movetime", "400", "--margin", "1000", "--startup", "20000")


def checked(kind):
    return shlex.join([sys.executable, str(CHECKED), kind])


class Check(ArenaTest):
    def check_player(self, *player, times=TIMES):
        """The exit status, and the points by name."""
        before = self.marked()
        process = self.start(ARENA, "check", *player, "--json", "--seed", "1", *times)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(self.marked(), before, "left behind")
        run = Finished(process.returncode, out, err)
        self.assertEqual(run.out.count(b"\n"), 1, run.report())
        self.report = json.loads(run.out)
        self.assertEqual(run.report(), "")
        return run.status, {point["point"]: point for point in self.report["points"]}

    def shown(self):
        return "\n".join(str(point) for point in self.report["points"] if point["result"] in ("failed", "note"))

    def results(self, points, result):
        return [name for name, point in points.items() if point["result"] == result]

    def expect_failure(self, kind, point, status=1, notes=None):
        """This point fails with all its keys; returns it for further checks."""
        got, points = self.check_player(checked(kind))
        self.assertEqual(self.results(points, "failed"), [point], self.shown())
        self.assertEqual(got, status)
        self.assertFalse(self.report["passed"])
        failed = points[point]
        self.assertTrue(failed["needed"])
        for key in ("detail", "expected", "lines"):
            self.assertTrue(failed[key], failed)
        if notes is not None:
            self.assertEqual(set(self.results(points, "note")), notes, self.shown())
        return failed

    def expect_passed(self, *player, notes=()):
        status, points = self.check_player(*player)
        self.assertEqual(self.results(points, "failed"), [], self.shown())
        self.assertEqual(self.results(points, "note"), list(notes), self.shown())
        self.assertEqual(status, 0)
        self.assertTrue(self.report["passed"])
        return points

    # ---- our own ----

    def test_engine(self):
        points = self.expect_passed(ENGINE)
        self.assertEqual(self.report["name"], "nim-engine")
        self.assertEqual(self.results(points, "not-checked"), ["given"])

    def test_random(self):
        self.expect_passed(RANDOM)

    def test_greedy(self):
        self.expect_passed(GREEDY)

    def test_python_random_bot(self):
        self.expect_passed(shlex.join([sys.executable, str(PYTHON_BOTS / "random_bot.py")]),
                           notes=[])

    def test_python_nim_bot(self):
        self.expect_passed(shlex.join([sys.executable, str(PYTHON_BOTS / "nim_bot.py")]),
                           notes=[])

    def test_a_copied_bot_is_called_by_its_file(self):
        for bot in ("nim_bot.py", "random_bot.py"):
            copy = self.folder / f"my_{bot}"
            copy.write_text((PYTHON_BOTS / bot).read_text())
            self.check_player(shlex.join([sys.executable, str(copy)]), times=("--movetime", "40", *TIMES[2:]))
            self.assertEqual(self.report["name"], f"my_{bot}")

    def test_ten_line_bot(self):
        text = (ROOT / "protocol" / "README.md").read_text()
        bot = self.folder / "ten.py"
        bot.write_text(text.split("```python\n")[1].split("```")[0])
        self.expect_passed(shlex.join([sys.executable, str(bot)]), notes=["go-infinite"])

    def test_sound_bot(self):
        points = self.expect_passed(checked("sound"))
        self.assertEqual(self.results(points, "not-checked"), ["take", "mixed", "others", "given"])
        self.assertEqual(points["take"]["detail"], "it says that it plays none of these")

    # ---- no start ----

    def expect_no_start(self, player, *words):
        status, points = self.check_player(player, times=("--startup", "500"))
        self.assertEqual(status, 3)
        self.assertEqual(self.results(points, "failed"), ["handshake"])
        self.assertEqual(set(self.results(points, "not-checked")), set(points) - {"handshake"})
        self.assertIsNone(self.report["startup_ms"])
        for word in words:
            self.assertIn(word, points["handshake"]["detail"])
        return points["handshake"]

    def test_no_such_program(self):
        self.expect_no_start("./no-such-bot", "no-such-bot")

    def test_nobody_listens(self):
        self.expect_no_start("tcp://127.0.0.1:1", "127.0.0.1:1")

    def test_nobody_dials_in(self):
        run = self.arena("check", "listen://127.0.0.1:0", "--startup", "300")
        self.assertEqual(run.status, 3)
        self.assertIn(b"listening on 127.0.0.1:", run.out)

    def test_mute(self):
        point = self.expect_no_start(checked("mute"), "no 'ugiok' within 500 ms")
        self.assertEqual(point["lines"], [{"sent": "ugi"}])
        self.assertIn("flush", point["fix"])

    def test_leaves_at_once(self):
        status, points = self.check_player(checked("leaves_at_once"))
        self.assertEqual(status, 3)
        self.assertEqual(points["handshake"]["detail"], "its process ended with exit status 9")
        self.assertEqual(points["handshake"]["stderr"], ["no licence found"])

    def test_greets_another(self):
        point = self.expect_no_start(checked("greets_another"), "no 'ugiok'")
        self.assertEqual(point["lines"], [{"sent": "ugi"}, {"received": "id name Chess"},
                                          {"received": "uciok"}])

    # ---- flushing ----

    def test_never_flushes(self):
        status, points = self.check_player(checked("never_flushes"), times=("--startup", "1000"))
        self.assertEqual(status, 1)
        self.assertEqual(self.results(points, "failed"), ["flush"])
        self.assertIn("once the bot's input was closed", points["flush"]["detail"])
        self.assertIn("flush=True", points["flush"]["fix"])

    def test_does_not_flush_moves(self):
        failed = self.expect_failure("does_not_flush_moves", "go")
        self.assertIn("once the bot's input was closed", failed["detail"])
        self.assertIn("flush=True", failed["fix"])

    def test_prints(self):
        points = self.expect_passed(checked("prints"), notes=["flush"])
        self.assertIn("PYTHONUNBUFFERED", points["flush"]["detail"])

    def test_a_slow_second_start_is_no_buffer(self):
        first, second = self.folder / "first", self.folder / "second"
        bot = self.folder / "bot"
        bot.write_text(f"""#!/bin/sh
            [ -e {first} ] && [ ! -e {second} ] && touch {second} && sleep 1.5
            touch {first}
            exec {checked("sound")}""")
        bot.chmod(0o755)
        self.expect_passed(bot)
        self.assertTrue(second.exists())

    # ---- the needed points ----

    def test_never_ready(self):
        self.expect_failure("never_ready", "isready")

        self.assertEqual(self.report["points"][2]["fix"],
                         "answer each `isready` by a line 'readyok', and read each line, also where "
                         "several come at once")

    def test_ends_after_one_game(self):
        failed = self.expect_failure("plays_one_game", "new-game")
        self.assertEqual(failed["detail"], "its process ended with exit status 0")
        self.assertEqual(failed["fix"],
                         "it ended by itself: let it read lines until `quit` or the end of input")

    def test_capital_letters(self):
        failed = self.expect_failure("capital_bestmove", "go", notes={"stdout"})
        self.assertRegex(failed["detail"], r"^no 'bestmove' within \d+ ms$")
        self.assertEqual(failed["fix"], "'bestMove' is written 'bestmove', in lower case")

    def test_a_colon_or_another_word_before_the_move(self):
        failed = self.expect_failure("colon_after_bestmove", "go", notes={"stdout"})
        self.assertEqual(failed["fix"], "'bestmove:' is written 'bestmove', without the colon")
        self.assertRegex(failed["detail"], r"^no 'bestmove' within \d+ ms$")
        failed = self.expect_failure("best_move_in_two_words", "go", notes={"stdout"})
        self.assertEqual(failed["fix"], "write 'bestmove 1=8' instead of 'best move 1=8'")

    def test_blanks_inside_the_move(self):
        _, points = self.check_player(checked("blanks_in_its_move"))
        self.assertEqual(points["nim"]["fix"], "write it without blanks: 1=0")

    def test_another_ruleset_taken_for_nim(self):
        _, points = self.check_player(checked("takes_all_for_nim"))
        self.assertTrue(points["take"]["fix"].startswith(
            "this would be a move in nim: read the name before the ':'. Else if it is not to play "
            "these rulesets, let it answer such a `position` by `info string error …`"),
            points["take"]["fix"])

    def test_moves_that_are_not_played(self):
        failed = self.expect_failure("forgets_the_moves", "nim")
        self.assertIn("moves after `moves`", failed["fix"])

    def test_an_answer_before_go(self):
        failed = self.expect_failure("moves_at_position", "go", notes=set())
        self.assertEqual(failed["fix"], "answer `go`, not `position`: the move came before `go`")

    def test_dies_of_options(self):
        failed = self.expect_failure("dies_of_options", "new-game")
        self.assertIn("ValueError: unknown option", failed["stderr"][-1])

    def test_never_moves(self):
        failed = self.expect_failure("never_moves", "go", notes=set())
        self.assertEqual([line["sent"] for line in failed["lines"]],
                         ["position fen nim:9,5,7", "go movetime 40"])

    def test_moves_and_leaves(self):
        failed = self.expect_failure("moves_and_leaves", "go")
        self.assertEqual(failed["detail"], "its process ended with exit status 4")

    def test_loops_for_ever(self):
        failed = self.expect_failure("loops_for_ever", "go")
        self.assertRegex(failed["detail"], r"it used \d\.\d\d s of CPU.*: an endless loop or a long search$")
        self.assertNotIn("flush", failed["fix"])

    def test_a_prompt_before_the_move(self):
        failed = self.expect_failure("prompts_before_its_move", "go")
        self.assertEqual(failed["fix"],
                         "'bestmove' must begin its line: prompts and debug text belong on stderr")

    def test_bestmove_alone(self):
        self.expect_failure("bestmove_alone", "go")

    def test_always_clears_heap_one(self):
        failed = self.expect_failure("always_clears_heap_one", "nim", notes={"searchmoves"})
        self.assertEqual(failed["lines"][-1], {"received": "bestmove 1=0"})
        self.assertIn("a legal move in nim:", failed["expected"])
        self.assertTrue(failed["detail"].startswith("it answered '1=0': "), failed["detail"])

    def test_dies_of_other_rulesets(self):
        run = self.arena("check", checked("dies_of_other_rulesets"), "--seed", "1", *TIMES)
        text = run.out.decode()
        self.assertEqual(re.findall(r"(?m)^FAILED +(\S+)", text), ["take"])
        self.assertIn("its process ended with exit status 1: ValueError: not nim", text)
        self.assertEqual(text.count("let it answer such a `position` by `info string error …`"), 1)
        self.assertRegex(text, r"(?m)^not checked  others +.*: it dies as at take$")
        self.assertIn("ok           rulesets", text)

    def test_one_mistake_is_one_failure(self):
        """A bot that dies wherever it is asked for the third time."""
        _, points = self.check_player(checked("dies_at_the_third_go"))
        self.assertEqual(self.results(points, "failed"), ["nim"], self.shown())
        self.assertEqual(points["position"]["result"], "not-checked")
        self.assertEqual(points["position"]["detail"], "it dies as at nim")

    def test_points_that_depend_on_nim_name_the_death_there(self):
        status, points = self.check_player(checked("dies_in_nim"))
        self.assertEqual(status, 1)
        death = "it failed at nim: its process was ended by SIGSEGV; a fault in the program's memory"
        for name in ("huge", "startpos", "rulesets"):
            self.assertEqual(points[name]["result"], "not-checked", points[name])
            self.assertTrue(points[name]["detail"].startswith(death), points[name])
        self.assertEqual(points["mixed"]["detail"], "it failed at one of them")
        self.assertIn("run it in a debugger", points["nim"]["fix"])
        self.assertNotIn("no kind of nim", json.dumps(points))

    def test_a_death_at_other_rulesets_has_its_remedy_too(self):
        _, points = self.check_player(checked("dies_of_other_rulesets"))
        self.assertRegex(points["take"]["fix"], r"^if it is not to play these rulesets, .* then this "
                         r"is no failure\. If it is to play them: its messages on stderr tell more")

    def test_a_bot_that_refuses_a_ruleset_and_dies_then_is_not_told_to_refuse_it(self):
        _, points = self.check_player(checked("dies_after_it_refused"))
        self.assertEqual(points["take"]["result"], "failed")
        self.assertEqual(points["take"]["fix"],
                         "its messages on stderr tell more. It must run until `quit`")

    def test_a_death_at_sums_of_nim_is_about_the_plus(self):
        """That is nim, too. The points of other rulesets have their own advice."""
        run = self.arena("check", checked("dies_of_sums"), "--seed", "1", *TIMES)
        text = run.out.decode()
        self.assertEqual(re.findall(r"(?m)^FAILED +(\S+)", text), ["nim", "take"])
        nim, take = text[text.index("FAILED       nim"):].split("FAILED       take")
        self.assertIn("to do     a position may have several parts, joined by '+', each with its ruleset: the "
                      "heaps are counted over all of them. its messages on stderr tell more. It must run until", nim)
        self.assertNotIn("if it is not to play", nim)
        self.assertRegex(take, r"(?m)^not checked  others +.*: it dies as at take$")
        self.assertIn("to do     if it is not to play these rulesets, let it answer such a `position` by "
                      "`info string error …` and go on", take)

    def test_a_bot_that_hangs_is_waited_for_once(self):
        _, points = self.check_player(checked("hangs_at_other_rulesets"))
        waited = [int(re.search(r"no 'bestmove' within (\d+) ms", points[name]["detail"])[1])
                  for name in ("take", "others")]
        self.assertEqual(waited, [2 * 400 + 1000 + 3000, 2 * 400 + 1000 + 500])

    def test_skips_empty_heaps(self):
        self.expect_failure("skips_empty_heaps", "nim")

    def test_forgets_the_moves(self):
        self.expect_failure("forgets_the_moves", "nim")

    def test_never_goes_back(self):
        self.expect_failure("never_goes_back", "position", notes=set())

    def test_knows_no_startpos(self):
        self.expect_failure("knows_no_startpos", "startpos", notes=set())

    def test_has_a_small_buffer(self):
        failed = self.expect_failure("has_a_small_buffer", "long-history", notes=set())
        self.assertIn("bytes)", failed["lines"][0]["sent"])
        self.assertRegex(failed["detail"], r"^it answered '1=\d+' to a line of \d+ bytes$")
        self.assertIn("is its line buffer too small?", failed["fix"])

    def test_a_small_buffer_cuts_the_legal_moves(self):
        """Nothing but `go` is long for this bot. The points after it say no other reason."""
        _, points = self.check_player(checked("reads_64_bytes_of_a_line"))
        failed = [point for point in points.values() if point["result"] == "failed"]
        self.assertEqual(failed[0]["point"], "many-moves", self.shown())
        self.assertRegex(failed[0]["detail"], r"^it answered '[^']*' to a line of \d+ bytes$")
        self.assertEqual({point["fix"] for point in failed}, {failed[0]["fix"]}, self.shown())
        self.assertIn("is its line buffer too small?", failed[0]["fix"])

    def test_dies_of_finished_games(self):
        failed = self.expect_failure("dies_of_finished_games", "finished", notes=set())
        self.assertIn("AssertionError", failed["stderr"])

    def test_resigns(self):
        self.expect_failure("resigns", "rulesets")

    def test_overthinks_movetime(self):
        failed = self.expect_failure("overthinks_movetime", "movetime")
        self.assertIn("bestmove within 400 ms", failed["expected"])

    def test_reads_the_wrong_clock(self):
        failed = self.expect_failure("looks_at_the_wrong_clock", "clock", notes=set())
        self.assertIn("go p1time 3600000 p2time 400 p1inc 0 p2inc 0",
                      [line.get("sent") for line in failed["lines"]])

    def test_wants_a_time(self):
        self.expect_failure("wants_a_time", "bare-go", notes=set())

    def test_ignores_stop(self):
        self.expect_failure("ignores_stop", "go-infinite", notes=set())

    def test_answers_any_stop(self):
        failed = self.expect_failure("answers_any_stop", "idle-stop", notes=set())
        self.assertEqual(failed["lines"][:2], [{"sent": "stop"}, {"sent": "isready"}])

    def test_wants_moves_and_ignores_them(self):
        self.expect_failure("wants_moves_and_ignores_them", "searchmoves")

    def test_keeps_carriage_returns(self):
        failed = self.expect_failure("keeps_carriage_returns", "crlf", notes=set())
        self.assertEqual(failed["lines"], [{"sent": "isready\\r"}])
        self.assertIn("strip a CR ('\\r') from the end of each line", failed["fix"])

    def test_splits_at_single_blanks(self):
        self.expect_failure("splits_at_single_blanks", "blanks", notes=set())

    def test_dies_of_unknown_commands(self):
        self.expect_failure("dies_of_unknown_commands", "unknown", notes=set())

    def test_ignores_quit(self):
        self.expect_failure("ignores_quit", "quit", notes={"quit-during-go"})

    def test_crashes_at_quit(self):
        failed = self.expect_failure("crashes_at_quit", "quit")
        self.assertEqual(failed["detail"], "its process was ended by SIGABRT")
        self.assertEqual(failed["stderr"], ["double free"])

    def test_lives_on_without_input(self):
        failed = self.expect_failure("lives_on_without_input", "end-of-input", notes={"pending-answer"})
        self.assertIn("the end of its input", failed["detail"])

    # ---- what a bot can do without ----

    def test_prompts(self):
        points = self.expect_passed(checked("prompts"), notes=["stdout"])
        self.assertEqual(points["stdout"]["detail"], "it wrote 'Your move, sir:'")

    def on_a_terminal(self, *arguments):
        """What is written to it; the exit status is 0."""
        terminal, other = pty.openpty()
        self.addCleanup(os.close, terminal)
        process = self.start(ARENA, *arguments, stdout=other, stderr=other)
        os.close(other)
        said = b""
        try:
            while piece := os.read(terminal, 4096):
                said += piece
        except OSError:  # the end of a terminal
            pass
        self.assertEqual(process.wait(PATIENCE), 0, said.decode())
        return said.decode()

    def test_a_slow_bot_is_asked_less_and_its_progress_shown(self):
        said = self.on_a_terminal("check", checked("thinks_too_long"), "--seed", "1", "--movetime", "100",
                                  "--margin", "5000")
        self.assertRegex(said, r"nim: 3 of \d+ positions")
        self.assertRegex(said, r"ok +nim +[^\n]*: \d+ of \d+ positions: it takes long for a move")

    def test_rulesets_that_were_not_asked_are_named(self):
        _, points = self.check_player(checked("thinks_far_too_long"),
                                      times=("--movetime", "100", "--margin", "5000"))
        self.assertEqual((points["nim"]["result"], points["others"]["result"]), ("note", "note"), self.shown())
        self.assertRegex(points["others"]["detail"],
                         r"^\d of 51 positions: it takes long for a move; not asked: .*lasker, grundy, "
                         r"wythoff, cookie, .*, sums of many rulesets$")
        self.assertEqual(points["others"]["fix"],
                         "answer in the time after `movetime`, or check with more time: --movetime MS")

    def test_answers_infinite_at_once(self):
        self.expect_passed(checked("answers_infinite_at_once"), notes=["go-infinite"])

    def test_depends_on_searchmoves(self):
        points = self.expect_passed(checked("lives_from_searchmoves"), notes=["finished", "go-infinite"])
        self.assertTrue(points["searchmoves"]["needed"])
        self.assertFalse(points["finished"]["needed"])

    def test_answers_twice(self):
        points = self.expect_passed(checked("answers_twice"), notes=["answers"])
        self.assertIn("more than once", points["answers"]["detail"])

    def test_ponders(self):
        points = self.expect_passed(checked("ponders"), notes=["searchmoves", "answers"])
        self.assertIn("ponder 1=0", points["answers"]["detail"])

    def test_complains_at_quit(self):
        self.expect_passed(checked("complains_at_quit"), notes=["quit", "quit-during-go"])

    def test_a_note_on_a_death_shows_what_was_sent_and_stderr(self):
        run = self.arena("check", checked("dies_of_bad_positions"), "--seed", "1", *TIMES)
        self.assertEqual(run.status, 0, run.out.decode())
        self.assertRegex(run.out.decode(),
                         r"(?m)^note +unreadable .*: its process ended with exit status 1: ValueError: .*\n"
                         r" +sent +position fen nim:9,5,7\n +sent +position fen nim:3,\n(?s:.*)"
                         r" +stderr +ValueError: .*\n"
                         r" +to do +its messages on stderr tell more\. It must run until `quit`$")

    def test_plays_only_take(self):
        points = self.expect_passed(checked("plays_take_alone"), notes=["take"])
        self.assertEqual(points["take"]["detail"].count("take{1,3,4}"), 0)
        self.assertEqual(points["rulesets"]["detail"], "take{1,3,4}, take{1,3,4} misere")

    # ---- positions, sockets, people ----

    def test_given_position(self):
        _, points = self.check_player(checked("sound"), "--position", "nim:0,4 misere")
        self.assertEqual(points["given"]["result"], "ok")
        status, points = self.check_player(checked("sound"), "--position", "take{1,3,4}:21")
        self.assertEqual((status, points["given"]["result"]), (1, "failed"))

    def test_given_finished_position(self):
        _, points = self.check_player(checked("sound"), "--position", "nim:0")
        self.assertEqual(points["given"]["result"], "ok")
        status, points = self.check_player(checked("sound"), "--position", "take{2}:1")
        self.assertEqual((status, points["given"]["result"]), (1, "failed"))
        self.assertEqual(points["given"]["expected"], "bestmove 0000: no move is left in take{2}:1")

    def test_without_history(self):
        points = self.expect_passed(*player(checked("forgets_the_moves"), history="off"))
        self.assertEqual(points["long-history"]["result"], "not-checked")

    def test_over_tcp(self):
        engine = self.start(ENGINE, "--listen", "127.0.0.1:0")
        address = engine.stdout.readline().split()[-1].decode()
        self.expect_passed("tcp://" + address)

    def test_dialling_in(self):
        process = self.start(ARENA, "check", "listen://127.0.0.1:0", "--seed", "1", *TIMES)
        address = process.stdout.readline().split()[-1].decode()
        self.start(ENGINE, "--connect", address)
        out, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, out.decode())
        self.assertIn("could not be reached again", out.decode())

    def test_text(self):
        run = self.arena("check", checked("ignores_quit"), "--seed", "1", *TIMES)
        self.assertEqual(run.status, 1)
        text = run.out.decode()
        self.assertRegex(text, r"(?m)^ok +isready +answers `isready` by `readyok`$")
        self.assertRegex(text, r"(?m)^FAILED +quit +ends at `quit`: it still ran 1000 ms after `quit`\n"
                               r" +sent +quit\n +received +nothing\n +expected +.*\n +to do +.*$")
        self.assertRegex(text, r"(?m)^FAILED: \d+ ok, 1 failed, 1 note, 4 not checked$")

    def test_help(self):
        run = self.arena("check", "--help")
        self.assertEqual(run.status, 0)
        self.assertIn(b"Usage: nim-arena check PLAYER", run.out)

    def test_a_directory_is_no_bot(self):
        for folder, bot in ((ROOT / "bots" / "java", ROOT / "bots" / "java" / "nim_bot"),
                            (self.folder, None)):
            run = self.arena("check", folder)
            self.assertEqual((run.status, run.out), (2, b""))
            such = f", such as '{bot}'\n" if bot else "\n"
            self.assertIn(f"'{folder}' is a directory, expected a bot{such}", run.report())

    def test_usage_errors(self):
        for arguments in ([], ["builtin:perfect"], ["human"], ["a", "b"], ["a", "--moves", "1"]):
            run = self.arena("check", *arguments)
            self.assertEqual((run.status, run.out), (2, b""), arguments)
            self.assertIn("nim-arena check: ", run.report())

    def test_interrupt(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        process = self.start(ARENA, "check", zoo("hang", str(fifo)))
        fifo.read_text()  # the bot has been asked, and hangs
        pids = list(self.marked())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.wait_for_deaths(pids), [])

    def submissions(self):
        """A folder with two bots, the second of which writes an illegal move."""
        for name in ("ann", "bob"):
            (self.folder / "class" / name).mkdir(parents=True)
        good, bad = (PYTHON_BOTS / "random_bot.py").read_text(), checked("bestmove_alone")
        (self.folder / "class" / "ann" / "bot.py").write_text(good)
        (self.folder / "class" / "bob" / "bot.py").write_text(
            f"import os\nos.execvp('sh', ['sh', '-c', {bad!r}])\n")
        return f'cmd="{sys.executable} bot.py" dir={self.folder}/class/*'

    def check_several(self, *arguments):
        process = self.start(ARENA, "check", *arguments, "--seed", "1", *TIMES)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(err, b"")
        return process.returncode, out.decode()

    def test_each_directory_that_matches(self):
        keys = self.submissions()
        status, out = self.check_several("--player", keys)
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"checking cmd=.*class/ann, seed 1\n")
        self.assertRegex(out, r"checking cmd=.*class/bob, seed 1\n")
        self.assertTrue(out.endswith("\n1 of 2 bots keep to the protocol; not bob\n"), out)

    def test_each_bot_of_a_tournament(self):
        file = self.folder / "spring.toml"
        bot = f"{sys.executable} {PYTHON_BOTS}/random_bot.py"
        file.write_text(f'games = 2\n[[player]]\ncmd = "builtin:perfect"\n'
                        f'[[player]]\ncmd = "{bot}"\n[[player]]\nname = "B"\ncmd = "{bot}"\n')
        status, out = self.check_several(file, "--json")
        self.assertEqual(status, 0, out)
        self.assertEqual([json.loads(line)["passed"] for line in out.splitlines()], [True, True])
        file.write_text('[[player]]\ncmd = "builtin:perfect"\n')
        run = self.arena("check", file)
        self.assertEqual((run.status, run.out), (2, b""))
        self.assertIn("read no bot, expected [[player]] with cmd", run.report())

    def test_colours(self):
        bot = f"{sys.executable} {PYTHON_BOTS}/random_bot.py"
        noted = checked("answers_infinite_at_once")
        self.assertIn("\x1b[33mnote ", self.check_several(noted, "--color", "always")[1])
        self.assertNotIn("\x1b", self.check_several(bot)[1])

    def test_no_color_on_a_terminal(self):
        self.environment["TERM"] = "xterm"
        self.environment.pop("NO_COLOR", None)
        arguments = ("check", checked("answers_infinite_at_once"), "--seed", "1", *TIMES)
        self.assertIn("\x1b[33mnote ", self.on_a_terminal(*arguments))
        self.environment["NO_COLOR"] = "1"
        said = self.on_a_terminal(*arguments)
        self.assertIn("note         go-infinite", said)
        self.assertNotIn("\x1b[33m", said)
        self.assertIn("\x1b[33mnote ", self.on_a_terminal(*arguments, "--color", "always"), "it is asked for")


if __name__ == "__main__":
    unittest.main()
