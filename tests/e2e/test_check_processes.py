"""nim-arena check: what only a process with pipes, a folder or a terminal shows. The points themselves
are in tests/arena/check."""
import zipfile

from arena import *

BOT = (ROOT / "bots" / "python" / "nim_bot.py").read_text()


class Checked(ArenaTest):
    def script(self, text, name="bot.py"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return shlex.join([sys.executable, str(path)])

    def points(self, *arguments):
        run = self.arena("check", *arguments, "--json", "--seed", "1", "--movetime", "100", "--margin", "5000")
        self.assertEqual(run.report(), "")
        return run.status, {point["point"]: point for point in json.loads(run.out)["points"]}


class CheckProcesses(Checked):
    def test_a_bot_that_does_not_flush_its_moves(self):
        text = BOT.replace('say("bestmove " + move)', 'print("bestmove " + move)')
        status, points = self.points(self.script(text))
        self.assertEqual((status, points["flush"]["result"], points["go"]["result"]), (0, "note", "ok"))
        self.assertIn("only because the arena sets PYTHONUNBUFFERED=1; elsewhere it will hang",
                      points["flush"]["detail"])
        self.assertTrue(points["flush"]["expected"].startswith("bestmove within "))
        self.assertEqual(points["flush"]["lines"][-1].keys(), {"sent"})

    def test_a_program_of_another_protocol_is_known_by_its_answer(self):
        """At once: this start would take an hour."""
        command = self.script("import sys\nfor line in sys.stdin: print('Unknown command:', line, flush=True)\n")
        status, points = self.points(command, "--startup", "3600000")
        self.assertEqual((status, points["handshake"]["detail"]),
                         (3, "no 'ugiok': it wrote 'Unknown command: ugi'"))
        self.assertEqual(points["handshake"]["fix"], "the protocol is UGI, not UCI: `ugi` is answered by 'ugiok'")
        run = self.match(*player(command, name="Bad"), *GOOD, "--startup", 3600000, games=2)
        self.assertIn("it wrote 'Unknown command: ugi'", run.report())
        self.assertIn("the protocol is UGI, not UCI", run.report())

    def test_a_bot_may_compute_in_all_the_time_of_its_moves(self):
        command = self.script("import resource, sys\nsys.exit(f'{resource.getrlimit(resource.RLIMIT_CPU)[0]} s')\n")
        run = self.arena("check", command, "--json", "--movetime", "600000", "--startup", "600000", status=3)
        handshake = json.loads(run.out)["points"][0]
        self.assertGreaterEqual(int(handshake["stderr"][-1].removesuffix(" s")), 40 * 600)

    def test_a_terminal_shows_how_long_a_bot_is_awaited(self):
        self.run_on_a_terminal(
            "check", self.script("import time\ntime.sleep(1000)\n"), "--startup", "3600000", status=130,
            steps=[(r"handshake: starts, and answers `ugi` by `ugiok` … \(\d+ s\)",
                    lambda process, _: process.send_signal(signal.SIGINT))])


class CheckBuilds(Checked):
    def check(self, *options):
        """Of a bot of a folder, which runs where it was built."""
        return self.start(ARENA, "check", "--player", f"dir={self.folder}/class/ann", "--sandbox", "none",
                          "--seed", "1", *options, cwd=self.folder)

    def test_builds_are_removed_even_if_it_is_killed(self):
        fifo = self.fifo()
        self.script(f"import time\nopen({str(fifo)!r}, 'w').close()\ntime.sleep(1000)\n", "class/ann/bot.py")
        process = self.check("--startup", "3600000")
        fifo.read_text()  # the bot runs
        self.assertTrue(list(self.homes.rglob("bot.py")))
        process.kill()
        self.wait_until(lambda: not list(self.homes.iterdir()))

    def test_builds_are_removed_where_tmpdir_is_relative(self):
        self.script(BOT, "class/ann/bot.py")
        self.environment["TMPDIR"] = self.homes.name
        out, err = self.check("--margin", "5000", "--startup", "600000").communicate(timeout=PATIENCE)
        self.assertIn(b"\npassed: ", out, err.decode())
        self.assertEqual(list(self.homes.iterdir()), [])

    @unittest.skipUnless(os.geteuid() == 0, "for root")
    def test_another_user_runs_what_was_built(self):
        for folder in (self.folder, self.homes):
            folder.chmod(0o711)
        # The system's Python: that of this test may be where only its user may look.
        self.script('run = "/usr/bin/python3 bot.py"', "class/ann/player.toml")
        self.script("import os\nassert os.geteuid() != 0\n" + BOT, "class/ann/bot.py")
        for folder in (self.folder / "class", self.folder / "class" / "ann"):
            folder.chmod(0o755)
        out, err = self.check("--run-as", "nobody", "--margin", "5000", "--startup", "600000").communicate(
            timeout=PATIENCE)
        self.assertIn(b"\npassed: ", out, err.decode())
        self.assertEqual(list(self.homes.iterdir()), [])


class CheckFolders(Checked):
    def setUp(self):
        super().setUp()
        self.need_sandbox()
        self.script(BOT, "class/ann/nim_bot.py")
        self.script("open('log.txt', 'w')\n" + BOT, "class/bob/bot.py")
        self.script("import no_such_module\n", "class/eve/bot.py")
        self.script("nothing", "class/fay/notes.txt")

    def check(self, *options):
        run = self.arena("check", "--player", f"dir={self.folder}/class/*", "--seed", "1", "--movetime", "100",
                         "--margin", "5000", "--startup", "600000", *options)
        self.assertEqual(run.report(), "")
        return run.status, run.out.decode()

    def test_bots_are_found_and_confined_as_when_they_are_graded(self):
        status, out = self.check()
        self.assertEqual(status, 3)
        ann, bob, eve, fay = out.split("\nchecking ")[1:]
        self.assertTrue(ann.startswith(f"dir={self.folder}/class/ann, seed 1\n"), ann)
        self.assertIn("\npassed: ", ann)
        self.assertIn("OSError: [Errno 30] Read-only file system: 'log.txt'", bob)
        self.assertIn("to do     a submission may not write files: use stderr\n", bob)
        self.assertIn("to do     only the standard library can be imported where bots are graded", eve)
        self.assertIn("not built: found no bot, expected one of ", fay)
        self.assertTrue(out.endswith("\n1 of 4 bots keep to the protocol; not bob, eve, fay\n"), out)
        self.assertFalse((self.folder / "class" / "bob" / "log.txt").exists())
        self.assertEqual(list(self.homes.iterdir()), [], "builds are removed")

    def test_without_the_sandbox_they_may_write(self):
        self.script('build = "no-such-compiler"\nrun = "sh notes.txt"', "class/fay/player.toml")
        status, out = self.check("--sandbox", "none")
        self.assertRegex(out, r"not built: \S*sh: \d+: no-such-compiler: not found\b")
        self.assertNotIn("build.log", out, "it is removed")
        self.assertTrue(out.endswith("\n2 of 4 bots keep to the protocol; not eve, fay\n"), out)

    def test_a_command_is_confined_if_it_is_asked_for(self):
        status, points = self.points(*player("python3 bot.py", dir=f"{self.folder}/class/bob"),
                                     "--sandbox", "bwrap")
        self.assertEqual((status, points["handshake"]["fix"]),
                         (3, "a submission may not write files: use stderr"), points["handshake"])

    def test_archives_in_and_beside_folders_are_unpacked(self):
        (self.folder / "mixed" / "ann").mkdir(parents=True)
        for archive, name in (("ann/hand in.zip", "ann/nim_bot.py"), ("ann.zip", "nim_bot.py"),
                              ("gus.zip", "nim_bot.py")):
            with zipfile.ZipFile(self.folder / "mixed" / archive, "w") as file:
                file.write(self.folder / "class" / "ann" / "nim_bot.py", name)
        (self.folder / "mixed" / "notes.txt").write_text("none")
        run = self.arena("check", "--player", f"dir={self.folder}/mixed/*", "--seed", "1", "--margin", "5000",
                         status=0)
        for told in (b"ann: unpacked hand in.zip\nann: the bot is in the folder ann\n", b"gus: unpacked gus.zip\n"):
            self.assertIn(told, run.out)
        self.assertNotIn(b"unpacked ann.zip", run.out)  # which has the name of the folder
        self.assertTrue(run.out.endswith(b"\n2 of 2 bots keep to the protocol\n"), run.out)

    def test_the_current_folder(self):
        process = self.start(ARENA, "check", "--player", "dir=.", "--margin", 10_000, cwd=self.folder / "class" / "ann")
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (0, b""), out.decode())
