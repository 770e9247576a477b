"""nim-arena check, as a program: processes that hang, crash or linger, sockets, terminals, and our own bots.

What each point finds, and what it says, is tested in tests/arena/check, with scripted bots.
"""

from arena import *

PYTHON_BOTS = ROOT / "bots" / "python"

# For bots that answer: none needs so long. That they are prompt is tested with scripted bots.
SOUND = ("--movetime", "2000", "--margin", "10000", "--startup", "60000")
# What a busy machine alone may cause.
LATE = {"stop", "ready-during-go", "quit-during-go"}


class CheckTest(ArenaTest):
    def check_player(self, *player):
        """The exit status, and the points by name."""
        before = self.offspring()
        process = self.start(ARENA, "check", *player, "--json", "--seed", "1", *SOUND)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(self.offspring(), before, "left behind")
        self.assertEqual((out.count(b"\n"), err), (1, b""))
        self.report = json.loads(out)
        return process.returncode, {point["point"]: point for point in self.report["points"]}

    def shown(self):
        return "\n".join(str(point) for point in self.report["points"] if point["result"] in ("failed", "note"))

    def results(self, points, result):
        return [name for name, point in points.items() if point["result"] == result]

    def expect_passed(self, *player):
        status, points = self.check_player(*player)
        self.assertEqual(self.results(points, "failed"), [], self.shown())
        self.assertEqual([name for name in self.results(points, "note") if name not in LATE], [], self.shown())
        self.assertEqual((status, self.report["passed"]), (0, True))
        return points


class Ours(CheckTest):
    def test_engine_and_sample_bots(self):
        for bot in (ENGINE, RANDOM, GREEDY):
            points = self.expect_passed(bot)
            self.assertEqual(self.report["name"], pathlib.Path(bot).name)
            self.assertEqual(self.results(points, "not-checked"), ["given"])

    def test_python_bots(self):
        """A copied one is called by its file."""
        for bot in ("nim_bot.py", "random_bot.py"):
            copy = self.folder / f"my_{bot}"
            copy.write_text((PYTHON_BOTS / bot).read_text())
            self.expect_passed(shlex.join([sys.executable, "-B", str(copy)]))
            self.assertEqual(self.report["name"], f"my_{bot}")


class Ends(CheckTest):
    def test_a_process_that_stays(self):
        run = self.arena("check", zoo("ignores_quit"), "--seed", "1", *SOUND)
        text = run.out.decode()
        self.assertEqual(run.status, 1, text)
        self.assertRegex(text, r"(?m)^FAILED +quit +ends at `quit`: it still ran 1000 ms after `quit`\n"
                               r" +sent +quit\n +received +nothing\n +expected +.*\n +to do +.*$")
        self.assertRegex(text, r"(?m)^FAILED: \d+ ok, 1 failed, ")

    def test_children_that_keep_the_pipe_open(self):
        """They end with the bot; check_player() finds none."""
        bot = self.folder / "bot"
        bot.write_text(f"#!/bin/sh\nsleep 1000 &\nexec {RANDOM}\n")
        bot.chmod(0o755)
        self.expect_passed(bot)


class Sockets(CheckTest):
    def test_nobody_dials_in(self):
        run = self.arena("check", "listen://127.0.0.1:0", "--startup", "300", status=3)
        self.assertIn(b"listening on 127.0.0.1:", run.out)

    def test_over_tcp(self):
        engine = self.start(ENGINE, "--listen", "127.0.0.1:0")
        address = engine.stdout.readline().split()[-1].decode()
        points = self.expect_passed("tcp://" + address)
        self.assertEqual(self.results(points, "not-checked"), ["flush", "given"])
        self.assertEqual(points["flush"]["detail"], "not tested over a connection")

    def test_dialling_in(self):
        process = self.start(ARENA, "check", "listen://127.0.0.1:0", "--seed", "1", *SOUND)
        address = process.stdout.readline().split()[-1].decode()
        self.start(ENGINE, "--connect", address)
        self.assertIn("could not be reached again", self.end_of(process, 0).out.decode())


class People(CheckTest):
    def test_a_directory_is_no_bot(self):
        for folder, bot in ((ROOT / "bots" / "java", ROOT / "bots" / "java" / "nim_bot"),
                            (self.folder, None)):
            run = self.arena("check", folder)
            self.assertEqual((run.status, run.out), (2, b""))
            such = (f", such as '{bot}'" if bot else "") + f"; or --player dir={folder} finds and builds"
            self.assertIn(f"'{folder}' is a directory, expected a bot{such}", run.report())

    def test_interrupt(self):
        """Also of certify."""
        fifo = self.fifo()
        for words in (["check"], ["certify", "--family", "nim;heaps=1..3;size=0..5", "--concurrency", 1]):
            process = self.start(ARENA, *words, "--movetime", 600000, zoo("hang", str(fifo)))
            fifo.read_text()  # the bot has been asked, and hangs
            pids = list(self.offspring())
            process.send_signal(signal.SIGINT)
            self.end_of(process, 130)
            self.assertEqual(self.wait_for_deaths(pids), [])

    def check_several(self, *arguments):
        process = self.start(ARENA, "check", *arguments, "--seed", "1", *SOUND)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(err, b"")
        return process.returncode, out.decode()

    def test_each_directory_that_matches(self):
        for name, text in (("ann", (PYTHON_BOTS / "random_bot.py").read_text()), ("bob", "exit(9)\n")):
            (self.folder / "class" / name).mkdir(parents=True)
            (self.folder / "class" / name / "bot.py").write_text(text)
        keys = f'cmd="{sys.executable} -SB bot.py" dir={self.folder}/class/*'
        status, out = self.check_several("--player", keys)
        self.assertEqual(status, 3, out)
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

    def on_a_terminal(self, *options):
        """What a check of a bot that does not start writes to it."""
        return self.run_on_a_terminal("check", zoo("exit_in_handshake"), *options, status=3)

    def test_colours(self):
        bot = zoo("exit_in_handshake")
        self.assertIn("\x1b[31mFAILED ", self.check_several(bot, "--color", "always")[1])
        self.assertNotIn("\x1b", self.check_several(bot)[1])
        said = self.on_a_terminal()
        self.assertIn("handshake: starts, and answers `ugi` by `ugiok` …", said, "the progress")
        self.assertIn("\x1b[31mFAILED ", said)
        self.environment["NO_COLOR"] = "1"
        said = self.on_a_terminal()
        self.assertIn("FAILED       handshake", said)
        self.assertNotIn("\x1b[31m", said)
        self.assertIn("\x1b[31mFAILED ", self.on_a_terminal("--color", "always"), "it is asked for")
