"""The course: its commands, and the games that the solutions of bots/course win with them."""
import csv

from arena import *

COURSE = ROOT / "bots" / "doc" / "course.md"


class Course(ArenaTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.submissions = pathlib.Path(folder.name, "class")
        subprocess.run([ROOT / "bots" / "course" / "make_submissions.py", cls.submissions], check=True)

    def test_submissions_are_written_once_and_into_a_folder_alone(self):
        for folder, told in ((self.submissions, f"make_submissions.py: {self.submissions}/nim/first_heap_only: File exists\n"),
                             ("--help", "usage: make_submissions.py DIR\n")):
            run = subprocess.run([ROOT / "bots" / "course" / "make_submissions.py", folder], cwd=self.folder,
                                 capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (1, told))

    def setUp(self):
        super().setUp()
        (self.folder / "class").symlink_to(self.submissions)

    def play(self, assignment):
        """Runs the page's command; returns the games that each solution won, here and on the page."""
        part = next(part for part in COURSE.read_text().split("\n## ")
                    if f"dir=class/{assignment}/*" in part)
        command = next(block.split("```")[0] for block in part.split("```sh\n")
                       if block.startswith("nim-arena tournament"))
        # If bubblewrap does not work: the games are the same without it. With more time, because a
        # busy machine must not change a game.
        words = shlex.split(command.replace("--sandbox bwrap", "").replace("\\\n", " "))
        run = subprocess.run([ARENA, *words[1:], "--quiet", "--movetime", "60000"], cwd=self.folder, env=self.environment,
                             capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(run.returncode, 0, run.stderr)
        won = {name: int(games) for name, games in re.findall(r"(?m)^\d+ (\w+) +100 +(\d+) ", run.stdout)}
        right = dict(re.findall(r"(?m)^(\w+) +\d+ +\d+ +(\d+) % of", run.stdout))
        told = {name: int(games) for name, games in re.findall(r"(?m)^\| `(\w+)` \| (\d+) \|", part)}
        self.assertTrue((self.folder / f"{assignment}-pages" / "index.html").is_file())
        faults = dict(re.findall(r"(?m)^\d+ (\w+) +100 +\d+ .* (\d+) +[0-9.]+ [0-9-]+$", run.stdout))
        self.assertEqual(set(faults), set(won), run.stdout)
        self.assertEqual(set(faults.values()), {"0"}, run.stdout + run.stderr)
        return won, right, told

    def judge(self, assignment):
        won, right, told = self.play(assignment)
        ideas = {path.stem for path in (ROOT / "bots" / "course" / assignment).glob("*.py")}
        self.assertEqual(set(won), ideas)
        self.assertEqual(set(told), ideas - {"random"})  # whose moves depend on the Python
        self.assertEqual({name: won[name] for name in told}, told)
        self.assertEqual((won["reference"], right["reference"]), (50, "100"))
        for name in ideas - {"reference"}:
            self.assertLess(int(right[name]), 100, name)
        for name in ideas - {"random", "greedy"}:  # these two are about equal
            self.assertLessEqual(int(right["random"]), int(right[name]), name)

    def grade(self, assignment):
        """Grades all solutions by the rubric; returns their totals, here and on the page."""
        rubric = self.folder / "rubric.toml"
        text = (ROOT / "bots" / "course" / f"{assignment}.toml").read_text()
        # If bubblewrap does not work: the grades are the same without it. Without limits of time:
        # a busy machine must not change a grade.
        self.assertIn("movetime = 1000 ", text)
        self.assertIn("time = 120 ", text)
        rubric.write_text(text.replace("movetime = 1000 ", "sandbox = false\nmovetime = 60000 ")
                          .replace("\ntime = 120 ", "\ntime = 86400 "))
        folders = sorted((self.folder / "class" / assignment).iterdir())
        if assignment == "nim":  # "random" costs as much as three others, and is in no table
            folders = [folder for folder in folders if folder.name != "random"]
        self.arena("grade", rubric, *folders, "--results", self.folder / "grades", status=0)
        with open(self.folder / "grades" / "grades.csv") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        part = COURSE.read_text().split("## Points by a rubric")[1].split("\n## ")[0]
        lines = [[cell.strip(" `") for cell in line.strip("| ").split(" |")]
                 for line in part.splitlines() if line.startswith("| ")]
        column = lines[0].index(assignment)
        told = {line[0]: line[column] for line in lines[2:] if len(line) > column and line[column]}
        return rows, told

    def judge_grades(self, assignment):
        rows, told = self.grade(assignment)
        totals = {name: row["total"] for name, row in rows.items()}
        # In "nim" the solution by chance is not graded.
        chance = 0 if assignment == "nim" else float(totals.pop("random"))
        self.assertEqual(totals, told)
        reference = rows["reference"]
        self.assertEqual((reference["total"], reference["of"]), ("50", "50"))
        for name, total in totals.items():
            self.assertLessEqual(chance, float(total), name)
            self.assertTrue(name == "reference" or float(total) < 45, name)

    def test_grades_of_nim(self):
        self.judge_grades("nim")

    def test_grades_of_tables(self):
        self.judge_grades("tables")

    def test_grades_of_sums(self):
        self.judge_grades("sums")

    def test_nim(self):
        self.judge("nim")

    def test_tables(self):
        self.judge("tables")

    def test_sums(self):
        self.judge("sums")
