"""A whole class graded in one command, in the sandbox: killed in the middle, resumed, and the same."""
import csv
import re
import shutil

from a_class import write_class
from arena import *

RUBRIC = '''
name = "A class of all kinds"
seed = 1
movetime = 600000
time = 86400
build_time = {build_time}

[[part]]
name = "Keeps to the protocol"
kind = "check"
points = 10
least = 0.5

[[part]]
name = "Right everywhere"
kind = "certify"
family = "nim;heaps=1..2;size=0..4;misere=mixed"
points = 15

[[part]]
name = "Meets beginners"
kind = "match"
opponent = "builtin:eps:0.5"
position = ["nim:3,4,5", "nim:2,7,4 misere"]
games = 8
points = 5

[[part]]
name = "In time"
kind = "time"
within = 60000
position = "nim:3,4,5"
games = 2
points = 3

[[part]]
name = "Small"
kind = "memory"
most = "400M"
position = "nim:3,4,5"
games = 2
points = 2

[[part]]
name = "Others"
kind = "match"
opponent = "builtin:perfect"
position = "nim:5,6,7"
games = 2
full = 0.5
points = 5
hidden = true
'''
PATIENCE_FOR_ALL = 1500  # seconds


class AClass(ArenaTest):
    MEMBERS = None  # names; None: all
    BUILD_TIME = 60  # seconds; one build takes longer

    def setUp(self):
        super().setUp()
        doctor = self.arena("doctor").out.decode()
        self.assertRegex(doctor, "--sandbox bwrap +works")
        self.rubric = self.folder / "nim.toml"
        self.rubric.write_text(RUBRIC.format(build_time=self.BUILD_TIME))
        self.submissions = self.folder / "submissions"
        self.results = self.folder / "grades"
        self.rows = write_class(ARENA, self.submissions, rubric=self.rubric, results=self.results)
        for name in set(self.rows) - set(self.MEMBERS or self.rows):
            shutil.rmtree(self.submissions / name)
            del self.rows[name]

    def start_grading(self, results):
        return self.start(ARENA, "grade", self.rubric, *sorted(self.submissions.iterdir()),
                          "--results", results, stderr=None)

    def grade(self, results):
        """The rows of grades.csv, by student; the reasons of the first two parts, by student."""
        out, _ = self.start_grading(results).communicate(timeout=PATIENCE_FOR_ALL)
        with open(results / "grades.csv", newline="") as file:
            grades = {row.pop("student"): row for row in csv.DictReader(file)}
        reasons = {}
        for name in grades:
            tests = json.loads((results / name / "results.json").read_text())["tests"]
            reasons[name] = tests[0]["output"] + "\n" + tests[1]["output"]
        self.assertEqual(self.offspring(), {}, "left behind")
        return grades, reasons, out.decode()

    def assert_graded_whatever_its_members_do(self):
        before = {path: path.read_bytes() for path in self.submissions.rglob("*") if path.is_file()}
        # Killed in the middle.
        process = self.start_grading(self.results)
        some = len(self.rows) // 5
        self.wait_until(lambda: len(list(self.results.glob("*/part-5.json"))) >= some, PATIENCE_FOR_ALL)
        process.kill()
        process.wait()
        self.wait_until(lambda: not self.offspring())
        done = {path: path.stat().st_mtime_ns for path in self.results.glob("*/part-*.json")}
        self.assertLess(len(done), 5 * len(self.rows))
        grades, reasons, out = self.grade(self.results)
        for path, time_written in done.items():
            self.assertEqual(path.stat().st_mtime_ns, time_written, path)

        self.assertEqual(sorted(grades), sorted(self.rows))
        for name, (points, words) in self.rows.items():
            row = grades[name]
            self.assertEqual(row["of"], "40", out)
            self.assertNotIn("", [row[column] for column in row if column not in ("elo", "why 0")], (name, out))
            self.assertRegex(reasons[name], f"(?s){words}" if words else ".", name)
            if points is not None:
                self.assertEqual((name, row["Right everywhere"]), (name, str(points)), reasons[name])
        for name in self.rows:
            if name.startswith("right-"):
                self.assertEqual(grades[name]["total"], "40", grades)
                self.assertGreater(float(grades[name]["elo"]), 0)
        # Nobody saw the rubric or what others handed in, and nobody wrote there.
        for path in self.results.rglob("build.log"):
            self.assertNotIn("Right everywhere", path.read_text(errors="replace"), path)
        self.assertEqual(before, {path: path.read_bytes() for path in before})
        self.assertLess(float(grades["claims"]["total"]), 40)

        # The same grades from nothing, one after another; where a bot plays by chance, by its seed.
        again, _, _ = self.grade(self.folder / "again")
        self.assertEqual(again, grades)


class WholeClass(AClass):
    def test_is_graded_whatever_its_members_do(self):
        self.assertGreaterEqual(len(self.rows), 24)
        self.assert_graded_whatever_its_members_do()

    def test_a_tournament_builds_its_players(self):
        few = ("right-go", "right-java", "as-it-came-python", "does-not-compile")
        for folder in self.submissions.iterdir():
            if folder.name not in few:
                folder.rename(self.folder / folder.name)
        builds, record = self.folder / "builds", self.folder / "class.db"
        words = ("tournament", "--player", f"dir={self.submissions}/*", "--builds", builds, "--sandbox",
                 "bwrap", "--games", 4, "--position", "nim:3,4,5", "--position", "nim:1,2,4", "--seed", 1,
                 "--record", record, "--quiet")
        refused = self.start(ARENA, *words).communicate(timeout=PATIENCE_FOR_ALL)
        self.assertIn("with --keep-going it loses its games", refused[1].decode())
        out, err = self.start(ARENA, *words, "--keep-going").communicate(timeout=PATIENCE_FOR_ALL)
        points = {name: int(won) for name, won in re.findall(r"(?m)^\d+ (\S+) +12 +(\d+) ", out.decode())}
        self.assertEqual(sorted(points), sorted(few), out.decode() + err.decode())
        self.assertEqual(points["does-not-compile"], 0)
        self.assertIn("error: expected", (builds / "does-not-compile" / "build.log").read_text())
