"""Errors of the command line, before anything starts: exit status 2 and a message."""
from arena import *


class AtWork(ArenaTest):
    def test_an_engine_that_takes_long_says_so_on_a_terminal(self):
        """Here for want of input."""
        fifo = self.fifo()
        said = self.run_on_a_terminal("-c", f"cat {fifo} | {ENGINE} period --sequence -", program="sh", steps=[
            (r"at work for \d+ s.*at work for \d+ s", lambda *_: fifo.write_text("0 1 0 1"))])
        rows = said.split("\r\x1b[K")
        seconds = [int(re.fullmatch(r"\x1b\[\?7lnim-engine period: at work for (\d+) s; --time MS bounds it, "
                                    r"Ctrl-C ends it\x1b\[\?7h", row)[1]) for row in rows[1:-1]]
        self.assertEqual(seconds, sorted(set(seconds)))
        self.assertGreater(seconds[0], 1)
        self.assertRegex(rows[-1], "^the sequence")


class Usage(ArenaTest):
    def refused(self, *arguments):
        """Refused with a message on stderr, nothing on stdout, and no player started."""
        file = self.folder / "started"
        run = self.arena("match", zoo("leaves_a_file", str(file)), *arguments)
        self.assertEqual((run.status, run.out), (2, b""), run.report())
        self.assertFalse(file.exists(), "a player was started")
        self.assertTrue(run.report())
        return run.report()

    def test_arguments_of_a_match(self):
        dashes = "did you mean --games? An option begins with two hyphens\n"
        for arguments, told in ((("builtin:random", "--gmaes", "2"), "--gmaes"),
                                (("builtin:random", "\u2013games", "4"), "read '\u2013games', " + dashes),
                                (("builtin:random", "\u2014-games", "4"), "read '\u2014-games', " + dashes),
                                (("builtin:random", 'python3 "it\'s.py"'), ", 'python3 it's.py', expected 2"),
                                (("builtin:prefect",), "prefect")):
            with self.subTest(arguments):
                self.assertIn(told, self.refused(*arguments))

    def test_command_that_is_nearly_one(self):
        for word, meant in (("macth", "match"), ("--verison", "--version"), ("hlep", "help"),
                            ("Tournament", "tournament")):
            run = self.arena(word)
            self.assertEqual((run.status, run.out), (2, b""), run.report())
            self.assertIn(f"did you mean '{meant}'?", run.report())

    def test_help_of_a_command(self):
        self.assertEqual(self.arena("help", "match").out, self.arena("match", "--help").out)
        self.assertEqual(self.arena("match", "-h").out, self.arena("match", "--help").out)
        self.assertEqual(self.arena("help", "match", "all").out,
                         self.arena("match", "--help-format", "all").out)
        self.assertNotIn("certify", self.arena("help", "match", "all").out.decode(), "has statuses of its own")
        for words, told in ((("match", "more"), "help match: read 'more', expected 'all' or nothing"),
                            (("match", "all", "more"), "help match: read 'more', expected nothing after 'all'"),
                            (("macth",), "did you mean 'match'?"),
                            (("help",), "read 'help', expected new, match, "),
                            (("--help",), "read '--help', expected new, match, ")):
            run = self.arena("help", *words)
            self.assertEqual((run.status, run.out), (2, b""))
            self.assertIn(told, run.report())

    def test_blanks_in_a_position(self):
        run = self.match("builtin:random", "builtin:random", "--position", "nim: 1, 2 misere",
                         position="take{1, 2}: 5")
        self.assertEqual({game["position"] for game in self.assert_played(run, 4)},
                         {"take{1,2}:5", "nim:1,2 misere"})

    def test_help_in_another_form(self):
        page = self.arena("match", "--help-format", "man")
        self.assertEqual((page.status, page.err), (0, b""))
        self.assertIn(b"\n\\fB\\-\\-games\\fR \\fIN\\fR\n", page.out)
        for form in ("bash", "zsh", "fish"):
            script = self.arena("--help-format", form).out.decode()
            for word in ("tournament", "movetime", "version", "pgn jsonl csv grades starts",
                         "round-robin gauntlet swiss knockout ladder"):
                self.assertIn(word, script)
            # What can follow the name of the program, and what undoes an option.
            self.assertRegex(script, r"\bhelp\b.*\n" if form == "zsh" else r"work.* help\b|-a help ")
            self.assertIn("no-quiet", script)
        self.assertNotIn(b"no\\-quiet\\fR", page.out)
        for arguments in (["match"], []):
            run = self.arena(*arguments, "--help-format", "html")
            self.assertEqual((run.status, run.out), (2, b""))
            self.assertIn("--help-format: read 'html', expected man, bash, zsh or fish",
                          run.report())

    def test_no_command(self):
        run = self.arena()
        self.assertEqual((run.status, run.out), (2, b""), run.report())

    def commands(self, program):
        """As its help lists them."""
        return set(re.findall(r"(?m)^  ([a-z]+) {2,}", self.help(program)))

    def help(self, program, *command):
        """Which fits a screen."""
        text = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True,
                              timeout=PATIENCE).stdout
        self.assertNotRegex(text, r"[^\n]{81}", command)
        self.assertLessEqual(text.count("\n"), 45, command)
        return text

    def test_help_fits_a_screen_and_says_the_same_of_insecure(self):
        for command in self.commands(ENGINE):
            self.help(ENGINE, command)
        commands = self.commands(ARENA)
        listening = {"match", "check", "certify", "replay", "tournament", "serve", "work"}
        self.assertLessEqual(listening, commands)
        for command in commands:
            text = self.arena("help", command, "all").out.decode()
            self.assertNotRegex(text, r" \n|\n\n\n|[^\n]{101}", command)
            self.help(ARENA, command)
            if command in listening:
                self.assertIn("--insecure listen beyond this machine without TLS; at listen:// the first bot to "
                              "dial in plays", " ".join(text.split()), command)
