"""nim-arena grade: good, bad and hostile submissions get the points of the rubric, and a reason."""
import csv
import fcntl
import io
import shutil
import xml.etree.ElementTree

from arena import *

SOLUTIONS = pathlib.Path(__file__).resolve().parent / "bots" / "half_solutions.py"

HEAD = '''
name = "Assignment 1: Nim"
seed = 1
run = "python3 -SB bot.py {kind}"
movetime = 600000
sandbox = {sandbox}
'''
CERTIFY = '''
[[part]]
name = "Right everywhere"
kind = "certify"
family = "nim;heaps=1..2;size=0..4;misere=mixed"
points = 30
least = 0.5
'''
RUBRIC = HEAD + '''
[[part]]
name = "Keeps to the protocol"
kind = "check"
points = 10
''' + CERTIFY + '''
[[part]]
name = "Beats a beginner"
kind = "match"
opponent = "builtin:random"
games = 4
position = ["nim:3,4,5", "nim:2,7"]
points = 5
bonus = true
hidden = true
'''
RIGHT = HEAD + CERTIFY  # where the other parts are not the subject

ERRORS = '''
[[part]]
name = "Plays like perfect"
kind = "error-rate"
position = ["nim:3,4,5", "nim:2,7", "nim:1,5,6"]
games = 6
points = 20
'''


# Each other process of it takes 100 MiB, and ends before its second game.
HOARDER = '''
import os, sys
if os.path.exists("seen"):
    os.remove("seen")
else:
    open("seen", "w").close()
    hoard, lines = b"x" * (100 << 20), iter(sys.stdin.readline, "")

    def first_game():
        games = 0
        for line in lines:
            games += line.startswith("uginewgame")
            if games > 1:
                return
            yield line

    sys.stdin = first_game()
'''


class GradeTest(ArenaTest):
    def setUp(self):
        super().setUp()
        self.results = self.folder / "grades"
        self.rubric = self.folder / "nim.toml"
        self.write_rubric()

    def write_rubric(self, text=None, sandbox="false"):
        self.rubric.write_text(text or RUBRIC.format(kind="", sandbox=sandbox))

    def submit(self, name, kind=None, text=None, build=None):
        """A folder with a bot: one of half_solutions.py, or `text`."""
        folder = self.folder / "submissions" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bot.py").write_text(text or SOLUTIONS.read_text())
        if kind:
            toml = f'build = "{build}"\n' if build else ""
            (folder / "player.toml").write_text(toml + f'run = "{sys.executable} -SB bot.py {kind}"\n')
        return folder

    def grade(self, *options, status=0):
        """The lines of grades.csv, by student."""
        folders = sorted((self.folder / "submissions").iterdir())
        run = self.arena("grade", self.rubric, *folders, "--results", self.results, *options, status=status)
        self.out = run.out.decode()
        lines = csv.DictReader(io.StringIO((self.results / "grades.csv").read_text()))
        return {line.pop("student"): line for line in lines}

    def json(self, name):
        return json.loads((self.results / name / "results.json").read_text())


class Grade(GradeTest):
    """Points, pages and words of them."""

    def test_points_by_parts(self):
        self.submit("ann", "right")
        self.submit("bob", "not_misere")
        grades = self.grade()
        self.assertEqual(list(grades), ["ann", "bob"])
        ann = grades["ann"]
        self.assertRegex(self.out, rf"(?m)^[12] of 2: ann has {ann['total']} points$")
        self.assertEqual((ann["Right everywhere"], ann["Beats a beginner"], ann["of"]), ("30", "5", "40"))
        self.assertEqual(float(ann["total"]), self.json("ann")["score"])
        wrong = float(grades["bob"]["Right everywhere"])
        self.assertTrue(0 < wrong < 30, grades)
        tests = self.json("bob")["tests"]
        self.assertEqual([test["visibility"] for test in tests], ["visible", "visible", "hidden"])
        self.assertEqual([test["max_score"] for test in tests], [10, 30, 5])
        self.assertIn("exactly one heap holds 2 or more", tests[1]["output"])
        report = (self.results / "bob" / "report.txt").read_text()
        self.assertIn("the smallest counterexample is nim:2 misere: wrong 1=0; 1=1 is right", report)
        self.assertIn(" of 30 points (none up to a share of 50 %, all from 100 % on)\n", report)
        self.assertNotIn("Beats a beginner", report)
        suite = xml.etree.ElementTree.parse(self.results / "bob" / "junit.xml").getroot()
        self.assertEqual([case.get("name") for case in suite], [test["name"] for test in tests])
        self.assertIn("exactly one heap holds 2 or more", suite[1].find("failure").text)
        # The games are on record, also hidden ones.
        games = self.arena("export", self.results / "bob" / "part-3.db", "--format", "jsonl")
        self.assertEqual(len(games.out.decode().splitlines()), 4, games.report())

    def test_page_of_a_student(self):
        self.submit("<b>ob", "not_misere")
        text = RUBRIC.format(kind="", sandbox="false")
        self.write_rubric(text + text[text.rindex("[[part]]"):].replace("hidden = true", "")
                          .replace("Beats a beginner", "Beats <random>"))
        self.grade()
        folder = self.results / "<b>ob"
        page = (folder / "index.html").read_text()
        self.assertIn("<h2>Right everywhere</h2>", page)
        self.assertIn("the smallest counterexample is nim:2 misere: wrong 1=0; 1=1 is right", page)
        self.assertIn("<h2>Beats &lt;random&gt; (bonus)</h2>", page)
        self.assertIn("&lt;b&gt;ob", page)
        self.assertNotIn("<b>ob", page)
        # The hidden part and its games are nowhere; the same part, shown, has its games.
        self.assertNotIn("Beats a beginner", page)
        self.assertEqual(re.findall('href="(games[^"]*)"', page), ["games-4/index.html"])
        self.assertIn("nim:3,4,5", (folder / "games-4" / "player-1.html").read_text())
        self.assertIn("<h1>Nimarena match</h1>", (folder / "games-4" / "index.html").read_text())
        self.assertEqual([path.name for path in folder.glob("games-*")], ["games-4"])
        classroom = json.loads((folder / "classroom.json").read_text())
        self.assertEqual(classroom["tests"][2], {"name": "Hidden part", "status": "pass",
                                                 "message": "", "score": 5})
        self.assertEqual((classroom["max_score"], classroom["status"]), (40, "fail"))
        # Hidden later, without a word about it on the page.
        self.write_rubric(self.rubric.read_text().replace('"Beats <random>"', '"Beats <random>"\nhidden = true'))
        self.grade()
        self.assertNotIn("games-4", (folder / "index.html").read_text())
        self.assertFalse((folder / "games-4").exists())
        self.write_rubric(self.rubric.read_text().replace('"Beats <random>"\nhidden = true', '"Beats <random>"'))
        self.grade()
        self.assertIn("games-4/index.html", (folder / "index.html").read_text())
        self.assertTrue((folder / "games-4" / "index.html").exists())

    def test_a_page_without_the_games_of_an_earlier_submission(self):
        self.submit("ann", "right")
        self.write_rubric(HEAD.format(kind="", sandbox="false") +
                          RUBRIC[RUBRIC.rindex("[[part]]"):].replace("bonus = true\nhidden = true\n", ""))
        self.assertEqual(self.grade()["ann"]["total"], "5")
        page = self.results / "ann" / "index.html"
        self.assertIn('href="games-1/index.html"', page.read_text())
        self.submit("ann", "right", build="exit 1")
        self.assertEqual(self.grade()["ann"]["total"], "0")
        self.assertNotIn("games-1", page.read_text())

    def test_one_run_at_a_time(self):
        self.write_rubric(RIGHT.format(kind="", sandbox="false"))
        folder = self.submit("ann", "right")
        self.results.mkdir()
        other = os.open(self.results, os.O_RDONLY)  # as another run has it
        fcntl.flock(other, fcntl.LOCK_EX)
        run = self.arena("grade", self.rubric, folder, "--results", self.results)
        self.assertEqual((run.status, list(self.results.iterdir())), (1, []), run.report())
        self.assertIn(f"nim-arena grade: another run grades into '{self.results}': wait until", run.report())
        os.close(other)
        self.assertEqual(self.grade()["ann"]["total"], "30")

    def test_error_rate(self):
        self.submit("ann", "right")
        self.submit("bob", "equal_heaps")
        self.submit("crash, \"c\"", "always_dies")
        self.write_rubric(HEAD.format(kind="", sandbox="false") + ERRORS)
        grades = self.grade()
        name = "Plays like perfect"
        self.assertEqual((grades["ann"][name], grades["crash, \"c\""][name]), ("20", "0"))
        self.assertTrue(0 < float(grades["bob"][name]) < 20, grades)
        test = self.json("bob")["tests"][0]
        rate, low, high = (float(number) for number in re.search(
            r"ε = (\S+), between (\S+) and ([0-9.]+)", test["output"]).groups())
        self.assertTrue(0 <= low < rate < high <= 1, test)
        self.assertAlmostEqual(test["score"], 20 * (1 - rate), delta=0.11)  # ε has two decimals
        board = self.json("bob")["leaderboard"]
        self.assertEqual((board[2]["name"], board[2]["order"]), (name + ": ε", "asc"))
        self.assertAlmostEqual(board[2]["value"], rate, delta=0.0051)
        self.assertEqual([row["name"] for row in self.json("crash, \"c\"")["leaderboard"]],
                         ["Points", "Elo"])
        self.assertIn("lost by faults", self.json("crash, \"c\"")["tests"][0]["output"])
        before = {key: self.json(key) for key in ("ann", "bob")}
        self.grade()  # from what is written
        self.assertEqual({key: self.json(key) for key in before}, before)
        # By its upper end, no finite number of games shows a rate of 0.
        self.write_rubric(HEAD.format(kind="", sandbox="false") + ERRORS + "bound = true\n")
        self.assertTrue(0 < float(self.grade()["ann"][name]) < 20)

    def test_time_memory_and_elo(self):
        self.submit("ann", "right")
        self.submit("crash", "always_dies")
        self.submit("bob", "equal_heaps")
        # What a process took counts, also if it ends before the next game.
        self.submit("cat", text=HOARDER + SOLUTIONS.read_text())
        part = '[[part]]\nposition = "nim:3,4,5"\n'
        self.write_rubric('name = "x"\nmovetime = 600000\nsandbox = false\nrun = "python3 -SB bot.py right"\n'
                          f'{part}name = "Time"\nkind = "time"\nwithin = 60000\ngames = 2\npoints = 4\n'
                          f'{part}name = "No time"\nkind = "time"\nwithin = 1\ngames = 2\nbonus = true\n'
                          f'{part}name = "Memory"\nkind = "memory"\nmost = "500M"\ngames = 2\npoints = 4\n'
                          f'{part}name = "Little"\nkind = "memory"\nmost = "1M"\ngames = 2\npoints = 100\n'
                          f'{part}name = "Rung"\nkind = "match"\nopponent = "builtin:random"\ngames = 4\n')
        grades = self.grade()
        ann = grades["ann"]
        self.assertEqual((ann["Time"], ann["Memory"]), ("4", "4"), grades)
        self.assertTrue(0 < float(ann["Little"]) < 50, grades)
        self.assertLess(float(grades["cat"]["Little"]), 1.1, grades)
        self.assertEqual([grades["crash"][name] for name in ("Time", "No time", "Memory", "Little")],
                         ["0"] * 4)
        output = [test["output"] for test in self.json("ann")["tests"]]
        self.assertRegex(output[0], r"^\d+ of \d+ moves within 60000 ms; the slowest took [0-9.]+ ms$")
        self.assertRegex(output[3], r"^took [0-9.]+ MiB of memory, of 1.0 MiB that it may take$")
        self.assertGreater(float(ann["elo"]), float(grades["crash"]["elo"]))
        board = {row["name"]: row["value"] for row in self.json("ann")["leaderboard"]}
        self.assertEqual(str(round(board["Elo"])), ann["elo"])
        self.assertIn(f"Elo {board['Elo']:+.0f}, where the opponents have 0 on average",
                      (self.results / "ann" / "report.txt").read_text())
        # Elo depends on no other submission, and not on how many are graded at once.
        before = grades["bob"]["elo"]
        self.assertEqual(self.grade("--again", "bob", "--concurrency", "1")["bob"]["elo"], before)

    def test_the_seed_is_drawn_and_kept(self):
        self.submit("ann", "right")
        self.write_rubric(RIGHT.format(kind="", sandbox="false").replace("seed = 1", ""))
        grades = self.grade()
        seed = (self.results / "seed.txt").read_text()
        self.assertGreater(int(seed), 2**32, "one draw in 2^31 is smaller")
        self.assertIn(f"--seed\\\\x1f{seed.strip()}", (self.results / "ann" / "part-1.json").read_text())
        self.assertEqual(self.grade(), grades)
        self.assertEqual((self.results / "seed.txt").read_text(), seed)
        self.assertEqual(self.results.stat().st_mode & 0o777, 0o700)

    def test_a_bot_that_does_not_start_is_called_by_its_name(self):
        self.submit("zed", "right", "print(\n")
        grades = self.grade()
        report = (self.results / "zed" / "report.txt").read_text()
        self.assertRegex(grades["zed"]["why 0"], r"^Keeps to the protocol: 0 of \d+ points of the "
                         "protocol hold; Right everywhere, Beats a beginner: it does not start$")
        self.assertIn("it does not start\n    nim-arena certify: zed: no 'ugiok': its process ended with "
                      "exit status 1: SyntaxError: ", report)
        self.assertNotIn("/bin/sh", report)

    def test_a_bot_that_is_given_up_is_told_so(self):
        self.submit("ann", "always_dies")
        self.grade()
        report = (self.results / "ann" / "report.txt").read_text()
        # Which positions are asked before is drawn.
        for line in (r"it ended in \d+ positions, the smallest is nim:\d.*: IndexError",
                     r"given up after it had to be restarted 21 times; \d+ positions were not asked",
                     r"the smallest counterexample among the positions asked is nim:\d.*: it ended(; \d=\d is right)?\n"):
            self.assertRegex(report, line)
        self.assertNotIn("disconnected", report)
        self.assertIn("positions were not asked", self.json("ann")["tests"][1]["output"])

    def test_the_table_is_printed_where_no_file_can_be_written(self):
        self.write_rubric(RIGHT.format(kind="", sandbox="false"))
        folder = self.submit("ann", "right")
        (self.results / "grades.csv").mkdir(parents=True)
        run = self.arena("grade", self.rubric, folder, "--results", self.results, status=1)
        self.assertIn("  30 30\n", run.out.decode())
        self.assertIn(f"nim-arena grade: cannot write '{self.results}/grades.csv': Is a directory\n", run.report())
        run = self.arena("grade", self.rubric, folder, "--results", self.rubric / "x")
        self.assertEqual((run.status, run.report()),
                         (1, f"nim-arena grade: cannot write '{self.rubric}/x': Not a directory\n"))

    def test_usage_errors(self):
        folder = self.submit("ann", "right")
        self.rubric.write_text("name = ")
        run = self.arena("grade", self.rubric, folder, "--results", self.results, status=2)
        self.assertIn("line 1, column ", run.report())
        self.write_rubric()
        for arguments, error in (
                ([], "read no rubric"), ([self.rubric], "read no submission"),
                ([self.rubric, folder], "expected --results DIR"),
                ([self.rubric, self.rubric, "--results", self.results], "expected a folder with a bot"),
                ([self.rubric, folder, "--results", self.results, "--again", "eve"],
                 "--again: read 'eve', expected the name of a submission: ann")):
            run = self.arena("grade", *arguments, status=2)
            self.assertIn(error, run.report())


class Builds(GradeTest):
    """What is built, and what builds see and fill."""

    def test_builds(self):
        def submit(name, build):
            folder = self.submit(name, "right", build=build)
            (folder / "bot.py").rename(folder / "bot.txt")
            return folder
        ann = submit("ann", "echo built; pwd; test ! -e bot.py && mv bot.txt bot.py")
        submit("bob", "echo no such luck >&2; exit 3")
        submit("eve", "sleep 1000 & exit 1")
        self.submit("idle", "right", build="true")
        (self.folder / "submissions" / "zoe").mkdir()
        language = self.submit("language")
        (language / "bot.py").rename(language / "my main.py")
        text = RUBRIC.format(kind="", sandbox="false").replace('run = "python3 -SB bot.py "\n', "")
        self.write_rubric(text + '\n[[language]]\nfile = "main.py|* main.py"\nbuild = "cp {file} x"\n'
                                 'run = "python3 -SB x right"\n')
        grades = self.grade()
        self.assertEqual([grades[name]["Right everywhere"] for name in ("ann", "idle", "language")], ["30"] * 3,
                         self.out)
        self.assertEqual({name: grades[name]["why 0"] for name in grades},
                         {"ann": "", "bob": "the build failed", "eve": "the build failed", "idle": "",
                          "language": "", "zoe": "found no bot"})
        self.assertRegex(self.out, r"(?m)^eve .* the build failed$")
        self.assertIn("\nthe build, `true`, made no new or changed file\n",
                      (self.results / "idle" / "report.txt").read_text())
        self.assertNotIn("made no new", (self.results / "ann" / "report.txt").read_text())
        self.assertEqual(sorted(path.name for path in ann.iterdir()), ["bot.txt", "player.toml"])
        build = self.results / "ann" / "build"
        self.assertEqual((self.results / "ann" / "build.log").read_text(), f"built\n{build}\n")
        for name, reason in (("bob", "the build failed, `echo no such luck >&2; exit 3`: it ended with exit "
                                     "status 3\n  no such luck"),
                             ("eve", "the build failed, `sleep 1000 & exit 1`: it ended with exit status 1")):
            self.assertEqual(grades[name]["total"], "0")
            self.assertEqual([test["output"] for test in self.json(name)["tests"]],
                             [reason] + [reason.split("\n")[0]] * 2)
        # Once: the second run would fail. Anew where the student hands in again.
        written = (self.results / "ann" / "build.json").stat().st_mtime_ns
        self.assertEqual(self.grade(), grades)
        self.assertEqual((self.results / "ann" / "build.json").stat().st_mtime_ns, written)
        self.assertEqual(self.grade("--again", "ann"), grades)
        self.assertNotEqual((self.results / "ann" / "build.json").stat().st_mtime_ns, written)

    def test_a_build_that_does_not_end(self):
        (self.submit("ann") / "player.toml").write_text('build = "sleep 1000 & sleep 1000"\nrun = "./bot"\n')
        self.write_rubric("build_time = 1\n" + RUBRIC.format(kind="right", sandbox="false"))
        self.assertEqual(self.grade()["ann"]["total"], "0")
        self.assertEqual(self.json("ann")["tests"][0]["output"],
                         "the build failed, `sleep 1000 & sleep 1000`: it took longer than 1 s")

    def small_disk(self):
        self.results.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", self.results],
                                 capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("NOTHING IS TRIED: no disk can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", self.results])

    @unittest.skipUnless(os.geteuid() == 0, "mounts a small disk")
    def test_a_submission_that_fills_the_disk_has_0_points(self):
        self.small_disk()
        for name, build in (("ann", "head -c 64M /dev/zero >big"), ("bob", "true")):
            self.submit(name, "right", build=build)
        grades = self.grade("--concurrency", "1")  # bob on a disk that has room again
        self.assertEqual((grades["ann"]["total"], grades["bob"]["Right everywhere"]), ("0", "30"))
        self.assertFalse((self.results / "ann" / "build").exists())

    @unittest.skipUnless(os.geteuid() == 0, "mounts a small disk")
    def test_a_full_disk_is_no_grade(self):
        self.small_disk()
        (self.results / "filler").write_bytes(b"x" * (20 << 20))
        (self.submit("ann", "right") / "big").write_bytes(b"x" * (8 << 20))
        self.assertEqual(self.grade(status=1)["ann"]["total"], "")
        self.assertIn("not graded: the disk was full, make room and run this again: ", self.out)
        (self.results / "filler").unlink()
        self.assertEqual(self.grade()["ann"]["Right everywhere"], "30")

    def test_builds_find_the_toolchains_of_rustup(self):
        """Outside the sandbox, although HOME is a build's own."""
        self.write_rubric(RIGHT.format(kind="", sandbox="false"))
        home = self.folder / "home"
        for toolchains, given in ((home / ".rustup", None), (self.folder / "given", str(self.folder / "given"))):
            toolchains.mkdir(parents=True)
            self.environment["HOME"] = str(home)
            self.environment.pop("RUSTUP_HOME", None)
            if given:
                self.environment["RUSTUP_HOME"] = given
            folder = self.submit(toolchains.name.strip("."), "right",
                                 build=f"test $RUSTUP_HOME = {toolchains} -a $HOME != {home}")
            run = self.arena("grade", self.rubric, folder, "--results", self.results)
            self.assertIn("  30 30\n", run.out.decode(), run.report())

    def test_run_as(self):
        self.submit("ann")
        # The system's Python: that of this test may be where only its user may look.
        self.write_rubric(RIGHT.format(kind="right", sandbox="true").replace("python3", "/usr/bin/python3"))
        if os.geteuid() != 0:
            run = self.arena("grade", self.rubric, self.folder / "submissions" / "ann", "--results",
                             self.results, "--run-as", "nobody", status=3)
            self.assertIn("--run-as: only root can run players as another user", run.report())
            return
        for folder in (self.folder, self.folder / "submissions", self.folder / "submissions" / "ann"):
            folder.chmod(0o755)
        bot = self.folder / "submissions" / "ann" / "bot.py"
        bot.write_text("import os, sys\nif os.geteuid() == 0: sys.exit(1)\n" + bot.read_text())
        self.assertEqual(self.grade("--run-as", "nobody")["ann"]["Right everywhere"], "30")

    @unittest.skipUnless(os.geteuid() == 0, "for root")
    def test_a_bot_of_run_as_reaches_no_other_build(self):
        self.submit("ann")
        self.submit("bob", text=f"exec(open({str(self.results / 'ann' / 'build' / 'bot.py')!r}).read())")
        self.write_rubric(RIGHT.format(kind="right", sandbox="true").replace("python3", "/usr/bin/python3"))
        self.folder.chmod(0o755)
        grades = self.grade("--run-as", "nobody")
        self.assertEqual([grades[name]["Right everywhere"] for name in ("ann", "bob")], ["30", "0"])

    def test_no_two_programs_run_as_one_user(self):
        """Each could end the other."""
        ann = self.submit("ann")
        for rubric, words, reason in (
                (RUBRIC.replace("builtin:random", "./bot"), [],
                 "--run-as: the opponent of part 'Beats a beginner', './bot', would run as the same user as the bots"),
                (RUBRIC, ["--concurrency", 2], "--concurrency 2: with --run-as bots of several submissions would")):
            self.write_rubric(rubric.format(kind="right", sandbox="true"))
            run = self.arena("grade", self.rubric, ann, "--results", self.results, "--run-as", "nobody", *words,
                             status=2)
            self.assertIn(reason, run.report())

    def test_an_opponent_that_does_not_see_its_files_in_the_sandbox(self):
        self.need_sandbox()
        ann = self.submit("ann", "right")
        self.write_rubric(RUBRIC.replace("builtin:random", f"python3 {ann}/bot.py").format(kind="", sandbox="true"))
        run = self.arena("grade", self.rubric, ann, "--results", self.results, status=2)
        self.assertIn("in the sandbox it sees its program and dir= alone, and so not ", run.report())
        self.assertFalse(self.results.exists())

    def test_bots_and_builds_see_nothing_but_their_folder(self):
        self.need_sandbox()
        secret = self.folder / "secret"
        secret.write_text("solution")
        self.submit("thief", text=f"open({str(secret)!r})\n" + SOLUTIONS.read_text())
        self.submit("good")
        folder = self.submit("eve", text=None)
        (folder / "player.toml").write_text(
            f'build = "cat {self.rubric} {self.folder}/submissions/good/bot.py; touch {folder}/x; echo looked"\n'
            f'run = "python3 -SB {self.folder}/submissions/good/bot.py right"\n')
        self.write_rubric(RIGHT.format(kind="right", sandbox="true"))
        grades = self.grade()
        self.assertEqual(grades["good"]["Right everywhere"], "30", self.json("good"))
        self.assertEqual((grades["thief"]["total"], grades["eve"]["total"]), ("0", "0"))
        self.assertIn("FileNotFoundError", self.json("thief")["tests"][0]["output"])
        log = (self.results / "eve" / "build.log").read_text()
        self.assertEqual(log.count("No such file or directory"), 3, log)
        self.assertTrue(log.endswith("looked\n"), log)
        self.assertIn("can't open file", self.json("eve")["tests"][0]["output"])


class Limits(GradeTest):
    """Times, budgets, and what has been graded before."""

    def test_a_submission_that_has_changed(self):
        self.write_rubric(RIGHT.format(kind="", sandbox="false"))
        built = self.submit("built", "right")
        for name in ("ann", "bob"):
            self.submit(name, "not_misere")
        (built / "player.toml").write_text(f'build = "cp bot.py x.py"\nrun = "{sys.executable} -SB x.py right"\n')
        grades = self.grade()
        written = (self.results / "bob" / "part-1.json").stat().st_mtime_ns
        self.assertEqual(grades["built"]["Right everywhere"], "30")
        self.assertLess(float(grades["ann"]["Right everywhere"]), 30)
        # The same command in other files; the files of bob are as they were.
        script = built / "bot.py"
        script.write_text(script.read_text().replace("import sys", "import sys\nsys.argv[1] = 'not_misere'", 1))
        script = self.folder / "submissions" / "ann" / "bot.py"
        script.write_text(script.read_text().replace("import sys", "import sys\nsys.argv[1] = 'right'", 1))
        grades = self.grade()
        self.assertEqual(grades["ann"]["Right everywhere"], "30")
        self.assertLess(float(grades["built"]["Right everywhere"]), 30)
        self.assertEqual((self.results / "bob" / "part-1.json").stat().st_mtime_ns, written)

    def test_an_opponent_that_does_not_start(self):
        self.submit("ann", "right")
        self.submit("dies", "always_dies")
        self.write_rubric(RUBRIC.format(kind="", sandbox="false").replace("builtin:random", "/bin/false")
                          .replace("hidden = true", ""))
        grades = self.grade(status=1)
        name = "Beats a beginner"
        self.assertEqual((grades["ann"]["Right everywhere"], grades["ann"][name]), ("30", ""))
        self.assertIn(f"ann, {name}: not graded: the opponent does not start\n  nim-arena: ", self.out)
        tests = self.json("ann")["tests"]
        self.assertEqual((tests[2]["output"], tests[3]["visibility"]), ("not graded", "hidden"))
        self.assertIn("false does not start", tests[3]["output"])
        self.assertFalse([test for test in tests if "score" in test])
        self.write_rubric(self.rubric.read_text().replace("/bin/false", "builtin:random"))
        grades = self.grade()
        self.assertEqual((grades["ann"][name], grades["dies"][name]), ("5", "0"))

    def test_a_submission_that_takes_too_long(self):
        self.submit("forks", text="import os, time\nos.fork()\nos.fork()\ntime.sleep(1000)\n")
        self.write_rubric(RIGHT.format(kind="", sandbox="false").replace("movetime", "time = 1\nmovetime"))
        self.assertEqual(self.grade()["forks"]["total"], "0")
        self.assertEqual(self.json("forks")["tests"][0]["output"], "it took longer than 1 s")

    def test_resumes_after_a_kill(self):
        self.write_rubric(RIGHT.format(kind="", sandbox="false"))
        for number in range(4):
            self.submit(f"s{number}", "right")
        folders = sorted((self.folder / "submissions").iterdir())
        process = self.start(ARENA, "grade", self.rubric, *folders, "--results", self.results)
        done = self.results / "s1" / "part-1.json"
        self.wait_until(done.exists)
        process.kill()
        process.wait()
        self.wait_until(lambda: not self.offspring())
        written = done.stat().st_mtime_ns
        grades = self.grade()
        self.assertEqual(done.stat().st_mtime_ns, written)  # not graded again
        self.assertEqual(len({json.dumps(line) for line in grades.values()}), 1, grades)
        before = {name: (self.results / name / "results.json").read_bytes() for name in grades}
        # One student anew: the others are untouched.
        untouched = (self.results / "s2" / "part-1.json").stat().st_mtime_ns
        self.assertEqual(self.grade("--again", "s1"), grades)
        self.assertNotEqual(done.stat().st_mtime_ns, written)
        self.assertEqual((self.results / "s2" / "part-1.json").stat().st_mtime_ns, untouched)
        self.assertEqual(before, {name: (self.results / name / "results.json").read_bytes() for name in grades})

    def test_the_budget_leaves_the_rest_to_the_next_run(self):
        self.write_rubric(RIGHT.format(kind="", sandbox="false"))
        self.submit("ann", "right", build="sleep 30")
        grades = self.grade("--budget", "1s", status=1)
        self.assertIn("not graded: the budget has been used up", self.json("ann")["tests"][-1]["output"])
        self.submit("ann", "right", build="true")
        grades = self.grade("--budget", "1ms", status=1)
        self.assertEqual(grades["ann"]["Right everywhere"], "")
        self.assertIn("ann, Right everywhere: not graded: the budget has been used up", self.out)
        self.assertEqual(grades["ann"]["total"], "")
        self.assertEqual(self.grade()["ann"]["Right everywhere"], "30")

    def test_more_at_once_than_there_are_cores(self):
        self.write_rubric(RIGHT.format(kind="right", sandbox="false").replace("1..2;size=0..4", "1;size=0..1"))
        cores = len(os.sched_getaffinity(0))
        folders = [self.submit(f"s{number}") for number in range(cores + 1)]
        run = self.arena("grade", self.rubric, *folders, "--results", self.results, "--concurrency", 1000,
                         status=0)
        self.assertEqual(run.report(), f"nim-arena grade: --concurrency 1000: {cores} at once, because each "
                                       "has a core of its own\n")

    def test_a_budget_below_the_time_of_a_part(self):
        """What can be done within it is done, at last by a further run."""
        self.submit("ann", "right")
        self.submit("forks", text="import time\nwhile True:\n    word = input().split()[0]\n"
                                  "    print({'ugi': 'ugiok', 'isready': 'readyok'}.get(word, ''), flush=True)\n"
                                  "    time.sleep(1000 * (word == 'go'))\n")
        text = RUBRIC.format(kind="", sandbox="false").replace("hidden = true", "")
        self.write_rubric(text.replace("movetime", "time = 1000\nmovetime"))
        for budget in (3, 6, 12, 24, 48, 96):  # a busy machine needs more for a part
            grades = self.grade("--budget", f"{budget}s", "--concurrency", "1", status=1)
            total = grades["ann"]["total"]
            self.assertEqual(grades["forks"]["total"], "")  # not for being slow
            self.assertIn("forks, Beats a beginner: not graded: the budget has been used up", self.out)
            if total:
                break
        self.assertEqual((total, grades["ann"]["elo"] != ""), ("45", True))

    def test_opponents_that_do_not_finish_have_no_elo(self):
        self.submit("ann")
        part = '[[part]]\nposition = "nim:3,4,5"\nkind = "match"\ngames = 2\n'
        slow = self.folder / "slow.sh"
        slow.write_text(f": <{self.gate()}\nexec {RANDOM}\n")
        # A part that takes a hundredth of its time: programs that start at once.
        text = (f'name = "x"\nsandbox = false\nrun = "{RANDOM}"\n'
                f'{part}name = "A"\nopponent = "builtin:random"\n'
                f'{part}name = "B"\nopponent = "sh {slow}"\n')
        self.write_rubric("time = 8\n" + text)
        grades = self.grade(status=1)
        self.assertEqual(grades["ann"]["elo"], "")
        self.assertIn("ann, B: not graded: the opponent does not start\n", self.out)
        self.assertIn("--analysis\\\\x1f4000", (self.results / "ann" / "part-1.json").read_text())
        self.assertRegex(self.out, "no Elo: builtin:random and .*slow.sh have not met: "
                                   "their games took too long")
        self.open_gate()
        self.write_rubric("time = 600\n" + text)
        self.assertNotEqual(self.grade()["ann"]["elo"], "")

    def test_one_of_a_class_is_graded_again(self):
        self.write_rubric(RIGHT.format(kind="", sandbox="false"))
        self.submit("ann", "all")
        self.submit("bob", "all")
        self.grade()
        self.assertNotIn("other student", self.out)
        shutil.rmtree(self.folder / "submissions" / "bob")
        self.grade()
        self.assertIn("note: 1 other student in ", self.out)


class Submissions(GradeTest):
    """Whatever is handed in."""

    def test_a_terminal_shows_how_long_a_part_takes(self):
        wait = f"open({str(self.gate())!r}).close()\n"
        self.submit("ann", "right", text=wait + SOLUTIONS.read_text())
        self.write_rubric(RIGHT.format(kind="right", sandbox="false"))
        said = self.run_on_a_terminal(
            "grade", self.rubric, self.folder / "submissions" / "ann", "--results", self.results,
            steps=[(r"0 of 1 graded; ann: Right everywhere \(", lambda *_: self.open_gate())])
        self.assertRegex(said, r"\nann +30 +30 ")

    def test_files_besides_the_folders_are_left_out(self):
        self.submit("ann", "right")
        files = [self.folder / "submissions" / name for name in ("README.txt", "ann.zip")]
        for file in files:
            file.touch()
        self.assertEqual(list(self.grade()), ["ann"])
        run = self.arena("grade", self.rubric, self.folder / "submissions" / "ann", *files, "--results",
                         self.results, status=0)
        self.assertIn("note: no submission, and left out: '", run.report())
        self.assertIn("ann.zip'\n", run.report())
        run = self.arena("grade", self.rubric, files[0], "--results", self.results, status=2)
        self.assertIn("README.txt': expected a folder with a bot", run.report())

    def test_whatever_a_submission_does(self):
        self.submit("crash", "always_dies")
        self.submit("empty", text="\n")
        self.submit("flood", text="while True:\n    print('x' * 1000)\n")
        self.submit("good", "right")
        self.submit("no_toml")
        (self.folder / "submissions" / "no_toml" / "player.toml").write_text("run = 7\n")
        self.submit("odd name, \"quoted\"", "right")
        grades = self.grade()
        self.assertEqual(grades["good"]["Right everywhere"], "30")
        self.assertEqual(grades["odd name, \"quoted\""]["Right everywhere"], "30")
        for name in ("crash", "empty", "flood", "no_toml"):
            self.assertEqual(grades[name]["Right everywhere"], "0", name)
            self.assertTrue(self.json(name)["tests"][1]["output"], name)
        self.assertIn("player.toml, line 1", self.json("no_toml")["tests"][0]["output"])
        self.assertIn("IndexError", self.json("crash")["tests"][0]["output"])

    def test_a_name_that_is_not_utf_8(self):
        ann = self.submit("ann", "right", build="true")
        odd = os.fsencode(ann.parent) + b"/\xff m\xfcller"
        os.rename(ann, odd)
        words = ("grade", self.rubric, os.fsdecode(odd), "--results", self.results)
        self.arena(*words, status=0)
        folder = self.results / os.fsdecode(b"\xff m\xfcller")
        parts = [folder / name for name in ("build.json", "part-1.json", "part-2.json", "part-3.json")]
        written = [path.stat().st_mtime_ns for path in parts]
        for path in (*parts, folder / "results.json", folder / "classroom.json"):
            json.loads(path.read_bytes().decode())
        self.assertEqual(json.loads((folder / "results.json").read_text())["score"], 45)
        for name in ("index.html", "report.txt", "junit.xml"):
            (folder / name).read_bytes().decode()
        for name in ("grades.csv", "canvas.csv", "moodle.csv"):
            self.assertIn("ller", (self.results / name).read_bytes().decode())
        self.assertEqual(self.arena(*words).status, 0)  # from what is written
        self.assertEqual([path.stat().st_mtime_ns for path in parts], written)

    def test_results_lie_apart_from_submissions(self):
        ann = self.submit("ann", "right")
        run = self.arena("grade", self.rubric, ann, "--results", ann / "grades", status=2)
        self.assertIn("lie in one another, expected folders apart", run.report())
        self.assertEqual(sorted(path.name for path in ann.iterdir()), ["bot.py", "player.toml"])
        self.assertFalse(self.results.exists())

    def test_a_folder_that_no_walk_should_enter(self):
        deep, long = self.submit("deep", "right"), self.submit("long", "right")
        folder = deep
        for _ in range(102):
            folder /= "d"
        folder.mkdir(parents=True)
        long.joinpath(*5 * ["x" * 250]).mkdir(parents=True)
        self.grade()
        for name, why in (("deep", "folders more than 100 deep"), ("long", "paths of more than 1000 bytes")):
            self.assertIn(f"the folder has {why}", self.json(name)["tests"][0]["output"])
            self.assertEqual(self.json(name)["score"], 0)
