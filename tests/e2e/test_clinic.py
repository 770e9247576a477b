"""nim-arena serve --clinic: whoever connects is served at once, as often as it connects."""
import concurrent.futures
import shutil

from serving import *

AT_ONCE = 3  # bots whose times are tested
LEFT_OUT = {"quit", "quit-during-go", "end-of-input", "pending-answer"}  # of `check`, by a clinic


class ClinicTest(ServeTest):
    MOVETIME = 600_000  # a quarter of it is the least time that `check` gives for a move

    def setUp(self):
        super().setUp()
        self.token("Zed")  # the server wants a file of tokens

    def visits(self):
        """The reports in the record: the name, right, asked, and the lines of the check."""
        names = dict(self.recorded("SELECT number, name FROM entrant"))
        reports = []
        for note, in self.recorded("SELECT note FROM round WHERE stage = 2 ORDER BY event"):
            head, _, _, _, *check = note.splitlines()
            _, player, _, right, asked, *passed = map(int, head.split())
            self.assertEqual(passed, [check[-1].startswith("passed")] if check else [])
            reports.append((names[player], right, asked, check))
        return reports

    def connect(self, address, name, *bot):
        """A student, and the lines that connect.py prints."""
        path = self.folder / f"{name}.txt"
        if not path.exists():
            self.token_file(name)
        student = self.start(*CONNECT, "%s:%d" % address, "--token-file", path, *bot, stderr=subprocess.PIPE)
        return student, Lines(student.stderr)

    def points(self, lines):
        """By the point of a check: the lines about it. Its times vary."""
        points = {}
        for line in lines:
            if begins := re.match(r"(ok|FAILED|note) +(\S+) ", line):
                point = points.setdefault(begins[2], [])
            elif not line.startswith(" "):
                break
            point.append(re.sub(r"(\d+ of )?\d+ ms", "N ms", line))
        return points

    def visit(self, address, name, bot):
        """Of a bot that visits the clinic, and dials in to `check`, too: what connect.py says, and the
        points of the check."""
        student, said = self.connect(address, name, *shlex.split(bot))
        check = self.start(ARENA, "check", "listen://127.0.0.1:0", "--position", "nim:3,4,5", "--seed", 1,
                           "--movetime", self.MOVETIME)
        port = int(check.stdout.readline().rpartition(b":")[2])
        other, _ = self.connect(("127.0.0.1", port), name, *shlex.split(bot))
        points = self.points(check.communicate(timeout=PATIENCE)[0].decode().splitlines()[2:])
        other.terminate()
        said.until("^connect.py: the visit is over")
        self.assertEqual(student.wait(PATIENCE), 0)
        return said.all, points

    def expect_the_words_of_check(self, *bots):
        """Each bot, by connect.py, is told once what `check` says of it; but `quit` ends a visit.
        Returns by bot: what connect.py says, and how many moves were right."""
        address = self.serve("--clinic", "--movetime", self.MOVETIME, "--absence", 600_000)
        names = [f"student{number}" for number in range(len(bots))]
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
            said, checked = zip(*threads.map(self.visit, [address] * len(bots), names, bots))
        self.stop()
        served = "".join(iter(self.said.lines.get, None))
        visits = self.visits()
        self.assertEqual(sorted(name for name, *_ in visits), sorted(names))
        told = {name: self.points(check) for name, _, _, check in visits}
        for name, bot, points, heard in zip(names, bots, checked, said):
            with self.subTest(bot):
                won = re.search(rf"^{name}: .*; won (\d of \d) game", served, re.MULTILINE)[1]
                self.assertEqual(heard[-1], f"connect.py: the visit is over: won {won}\n")
                self.assertTrue(any(lines[0].startswith(("FAILED", "note")) for lines in points.values()))
                self.assertEqual(told[name], {point: lines for point, lines in points.items() if point not in LEFT_OUT})
        right = {name: right for name, right, _, _ in visits}
        return {bot: (lines, right[name]) for name, bot, lines in zip(names, bots, said)}


class Clinic(ClinicTest):
    def test_whoever_connects_plays_at_once_as_often_as_it_connects_up_to_a_limit(self):
        address = self.serve("--clinic", "--visits", 2)
        for name in ("Ann", "Bob", "Ann"):
            self.visit_of(address, name)
        ann, said = self.connect(address, "Ann", GREEDY)
        said.until(r"the server refuses: limit: 2 visits within an hour; come again in \d+ min")
        self.assertEqual(ann.wait(PATIENCE), 3)
        self.visit_of(address, "Bob")
        self.assertEqual([name for name, *_ in self.visits()], ["Ann", "Bob", "Ann", "Bob"])
        self.stop()
        played = self.recorded("SELECT DISTINCT round, player1, player2 FROM pair")
        self.assertEqual(played, [(1, 1, 0), (2, 2, 0), (3, 1, 0), (4, 2, 0)])
        self.assertEqual(len(self.games()), 8)

    def visit_of(self, address, name):
        student, said = self.connect(address, name, GREEDY)
        self.assertEqual(student.wait(PATIENCE), 0, said.all)

    def test_a_visit_ends_with_what_was_found(self):
        address = self.serve("--clinic", "--web", "127.0.0.1:0", "--web-host", "arena.example.org",
                             position="nim:1,2 misere")
        page = self.said.until(r"^watch on (http://arena\.example\.org:\d+/clinic/)$")[1]
        for visit in (1, 2):
            ann, said = self.connect(address, "Ann", str(BIN / "nim-random"))
            self.assertEqual(ann.wait(PATIENCE), 0)
            said.until("ok +handshake")
            said.until("^connect.py: passed: ")
            said.until(r"right in \d+ of \d+ positions; in nim:")
            said.until(rf"^connect.py: the visit is over: won \d of 2; its report is on {page}$")
            self.said.until(r"Ann: passed the check; won \d of 2 games; right in \d+ of \d+ positions")
            if visit == 1:  # departures that follow each other soon are told as one
                self.said.until("^Ann has gone: its visit is over$")
            (name, right, asked, check), = self.visits()[visit - 1:]
            self.assertEqual(name, "Ann")
            self.assertTrue(0 < right < asked <= 200)
            self.assertRegex(check[-1], "^passed: ")
            self.assertFalse([line for line in check if "quit" in line])
        self.stop()
        self.assertEqual(self.recorded("SELECT count(*) FROM annotation"), [(4,)])

    def test_the_words_are_those_of_check(self):
        crash = zoo("crash", "SIGSEGV")
        told = self.expect_the_words_of_check(zoo("answers", "bestmove 9=0"), crash, zoo("exit_after_a_move"),
                                              zoo("bestmove_alone"))
        said, right = told[crash]  # who ends is checked on once it comes back
        self.assertEqual(right, 0)
        for line in ("(?m)^connect.py: FAILED +go ", "(?m)^connect.py: FAILED: "):
            self.assertRegex("".join(said), line)

    def test_a_resumed_clinic_serves_who_comes(self):
        for visits in (1, 2):
            student, said = self.connect(self.serve("--clinic"), "Ann", str(BIN / "nim-greedy"))
            self.assertEqual(student.wait(PATIENCE), 0, said.all)
            self.stop()
            self.assertEqual(len(self.visits()), visits)
            self.assertEqual(len(self.games()), 2 * visits)

    def test_the_loop_of_invitations_repeats_what_failed(self):
        loop = re.compile(r"^ *\(umask 077; while read .*?< names.txt\)$", re.MULTILINE | re.DOTALL)
        manual = (ROOT / "bots" / "doc" / "clinic.md").read_text()
        for text in (manual, self.arena("token", "--help").out.decode()):
            folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            (folder / "names.txt").write_text("Ann\nBob")  # without an end of its last line
            commands = ["sh", "-c", loop.search(text)[0]]
            options = dict(cwd=folder, env=dict(self.environment, PATH=f"{BIN}:{os.environ['PATH']}"),
                           capture_output=True, timeout=PATIENCE)
            self.assertIn(b"cert.pem", subprocess.run(commands, **options).stderr)  # it is missing
            shutil.copy(self.tls_certificate()[0], folder / "cert.pem")
            for _ in range(2):  # the second time both have theirs
                self.assertEqual(subprocess.run(commands, **options).stderr, b"")
                for name in ("Ann", "Bob"):
                    self.assertIn(f"Invitation to the arena, for {name}\n", (folder / f"{name}.txt").read_text())

    def test_options_that_make_no_clinic(self):
        for words, error in ((("--format", "swiss"), "expected --clinic or --format, not both"),
                             (("--player", "cmd=builtin:random", "--player", "cmd=builtin:perfect"),
                              "--clinic: read 2 players, expected one, whom all others meet")):
            ended = self.arena("serve", "--clinic", "--listen", "127.0.0.1:0", "--tokens", "t", *words)
            self.assertIn(error, ended.err.decode())
            self.assertEqual(ended.status, 2)
        ended = self.arena("serve", "--format", "clinic", "--listen", "127.0.0.1:0", "--tokens", "t")
        self.assertIn("--format: read clinic, expected --clinic", ended.err.decode())
        self.token("Ann")
        ended = self.arena("serve", "--clinic", "--listen", "127.0.0.1:0", "--tokens", self.tokens,
                           "--web", "127.0.0.1:0", status=2)
        self.assertIn("--web shows the pages of a clinic's record: expected --record", ended.err.decode())
