"""nim-arena init for platforms of courses: its scripts, run where those platforms run them."""
import base64
import shutil

from arena import *

NOT_ROOT = "NOTHING IS TRIED: no container with several users can be made here"
CHEAT = """
import os
for path in ("/autograder/source/rubric.toml", "/autograder/results/results.json"):
    try:
        open(path, "a").close()
    except OSError as error:
        print("info string", path, type(error).__name__, flush=True)
    else:
        os._exit(7)
"""


def with_time(rubric):
    """A rubric without limits of time: a busy machine must not change a grade."""
    for old, new in (("movetime = 1000 ", "movetime = 60000 "), ("time = 120 ", "time = 86400 ")):
        assert old in rubric
        rubric = rubric.replace(old, new, 1)
    return rubric


class Gradescope(ArenaTest):
    """/autograder as Gradescope lays it out, in a root of its own without network."""

    def setUp(self):
        super().setUp()
        self.autograder = self.folder / "autograder"
        self.local = self.folder / "local"  # /usr/local of the image
        (self.local / "bin").mkdir(parents=True)
        self.dpkg = self.folder / "dpkg"  # its packages: none
        (self.dpkg / "info").mkdir(parents=True)
        (self.dpkg / "updates").mkdir()
        for name in ("status", "available"):
            (self.dpkg / name).touch()
        for name in ("submission", "results"):
            (self.autograder / name).mkdir(parents=True)
        subprocess.run([ROOT / "bots" / "course" / "make_submissions.py", self.folder / "class"],
                       check=True)
        # Bots run as another user there, which only root can do.
        if self.inside("setpriv", "--reuid", "nobody", "true")[0] != 0:
            self.skipTest(NOT_ROOT)
        source = self.autograder / "source"
        self.arena("init", "--gradescope", source, status=0)
        self.assertEqual(sorted(path.name for path in source.iterdir()),
                         ["README.md", "rubric.toml", "run_autograder", "setup.sh"])
        shutil.copy(source / "run_autograder", self.autograder)

    def inside(self, *command):
        """The status of a command in the container, and what it printed."""
        binds = []
        for target in ("/bin", "/lib", "/lib64", "/sbin"):
            binds += ["--symlink", "usr" + target, target]
        for target in ("/etc", "/sys"):
            binds += ["--ro-bind", target, target]
        binds += ["--bind", "/sys/fs/cgroup", "/sys/fs/cgroup"]
        done = subprocess.run(
            ["bwrap", "--unshare-net", "--unshare-pid", "--die-with-parent", "--cap-add", "ALL",
             "--ro-bind", "/usr", "/usr", "--bind", self.local, "/usr/local", *binds,
             "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/var/log",
             "--bind", self.dpkg, "/var/lib/dpkg", "--ro-bind", BIN, "/opt/programs",
             "--bind", self.autograder, "/autograder", "--chdir", "/autograder", "--clearenv",
             "--setenv", "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
             *command], capture_output=True, text=True, timeout=PATIENCE)
        # bwrap ends before the first process of its namespace has died.
        self.assertEqual(self.wait_for_deaths(self.offspring()), [])
        return done.returncode, done.stdout + done.stderr

    def install(self):
        (self.local / "bin" / "nim-arena").symlink_to("/opt/programs/nim-arena")
        rubric = self.autograder / "source" / "rubric.toml"
        rubric.write_text(with_time(rubric.read_text()))

    def grade(self, bot):
        """Grades a submission as the harness does; returns the status, the output, the results."""
        submission = self.autograder / "submission"
        shutil.rmtree(submission)
        submission.mkdir()
        (submission / "bot.py").write_text(bot)
        status, out = self.inside("./run_autograder")
        results = self.autograder / "results" / "results.json"
        return status, out, json.loads(results.read_text()) if results.exists() else None

    def solution(self, name):
        return (self.folder / "class" / "nim" / name / "bot.py").read_text()

    def test_setup_installs_the_package_beside_it(self):
        status, out = self.inside("bash", "source/setup.sh")
        self.assertEqual(status, 1)
        self.assertIn("found neither nim-arena nor nimarena_*.deb", out)
        tree = self.folder / "tree"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN" / "control").write_text(
            "Package: nimarena\nVersion: 1\nArchitecture: all\nMaintainer: x <x@example.invalid>\n"
            "Description: x\n")
        (tree / "usr" / "local" / "bin").mkdir(parents=True)
        (tree / "usr" / "local" / "bin" / "nim-arena").symlink_to("/opt/programs/nim-arena")
        subprocess.run(["dpkg-deb", "--build", "--root-owner-group", tree,
                        self.autograder / "source" / "nimarena_1_all.deb"], check=True,
                       capture_output=True)
        for _ in range(2):  # the second time it is there
            status, out = self.inside("bash", "source/setup.sh")
            self.assertEqual(status, 0, out)
            self.assertIn("nim-arena", out.splitlines()[-1])
        self.assertIn("Package: nimarena", (self.dpkg / "status").read_text())

    def test_run_autograder(self):
        self.install()
        rubric = self.autograder / "source" / "rubric.toml"
        rubric.write_text(rubric.read_text().replace("points = 10\n", "points = 10\nbonus = true\n", 1))
        (self.autograder / "submission_metadata.json").write_text(json.dumps(
            {"id": 1, "assignment": {"title": "Nim", "total_points": "20.0"},
             "users": [{"name": "Ann", "email": "ann@example.invalid"}]}, indent=2))
        status, out, results = self.grade(self.solution("reference"))
        self.assertEqual(status, 0, out)
        self.assertIn("the assignment has 20.0 points, the rubric 40\n", out)
        self.assertEqual(results["score"], 50, results)
        self.assertEqual(results["leaderboard"][0], {"name": "Points", "value": 50})
        self.assertEqual({test["status"] for test in results["tests"]}, {"passed"})
        self.assertEqual({test["visibility"] for test in results["tests"]}, {"visible", "hidden"})
        for key in ("score", "max_score", "name", "output"):
            self.assertTrue(all(key in test for test in results["tests"]), key)

    def test_a_submission_reads_no_rubric_and_writes_no_results(self):
        self.install()
        status, out, results = self.grade(self.solution("reference").replace(
            "import collections\n", CHEAT + "import collections\n", 1))
        self.assertEqual(status, 0, out)
        self.assertEqual(results["tests"][1]["score"], 15, results)

    def test_ends_before_gradescope_ends_it(self):
        self.install()
        script = self.autograder / "run_autograder"
        text = script.read_text()
        self.assertEqual(text.count("timeout=600 "), 1)
        script.write_text(text.replace("timeout=600 ", "timeout=64 "))
        status, out, results = self.grade("import time\ntime.sleep(1000)\n")
        self.assertEqual(status, 1, out)
        self.assertIn("not graded: the budget has been used up", out)
        self.assert_no_score(results, "That is no verdict on your submission",
                             "not graded: the budget has been used up")

    def assert_no_score(self, results, words, cause):
        """Nor of a test. Students see the words, and instructors the cause, too."""
        self.assertNotIn("score", results)
        self.assertFalse([test for test in results["tests"] if "score" in test], results)
        self.assertIn(words, results["output"])
        self.assertEqual(results["tests"][-1]["visibility"], "hidden")
        self.assertIn(cause, results["tests"][-1]["output"])
        self.assertNotIn(cause, json.dumps([results["output"], results["tests"][:-1]]))

    def test_no_score_where_the_autograder_is_wrong(self):
        self.install()
        (self.autograder / "results" / "results.json").write_text("{}")
        (self.autograder / "source" / "rubric.toml").write_text("name = 1\n")
        status, out, results = self.grade(self.solution("reference"))
        self.assertEqual(status, 2, out)
        cause = "rubric.toml, line 1, column 8: name: expected a text"
        self.assertIn(cause, out)
        self.assert_no_score(results, "The grader failed, not your submission", cause)
        (self.autograder / "source" / "rubric.toml").write_text('name = 1 # "\\\t\x01\nx="\\q"\n')
        status, out, results = self.grade(self.solution("reference"))
        self.assert_no_score(results, "The grader failed, not your submission", "rubric.toml, line 1, column ")
        (self.autograder / "source" / "rubric.toml").unlink()
        status, out, results = self.grade(self.solution("reference"))
        self.assert_no_score(results, "The grader failed, not your submission", "rubric.toml")


class Isolation(ArenaTest):
    """How run_autograder confines bots, by the status of grade. A stub of nim-arena grades nothing."""

    def test_the_sandbox_is_used_wherever_it_works(self):
        source = self.folder / "source"
        self.assertEqual(self.arena("init", "--gradescope", source).status, 0)
        (self.folder / "submission").mkdir()
        text = (source / "run_autograder").read_text()
        self.assertEqual(text.count("cd /autograder\n"), 1)
        script = self.folder / "run_autograder"
        script.write_text(text.replace("cd /autograder\n", f"cd {quote(str(self.folder))}\n"))
        stub = self.folder / "nim-arena"
        for status, ends, is_sandboxed in ((0, 0, True), (1, 1, True), (3, 0, False)):
            with self.subTest(status=status):
                stub.write_text(f'#!/bin/sh\necho "$@"\ncase "$*" in *--run-as*) ;; *) exit {status} ;; esac\n')
                stub.chmod(0o755)
                done = subprocess.run(
                    ["bash", script], capture_output=True, text=True, timeout=PATIENCE,
                    env=dict(self.environment, PATH=f"{self.folder}:{os.environ['PATH']}"))
                self.assertEqual(done.returncode, ends, done.stderr)
                self.assertIn("grade source/rubric.toml submission", done.stdout)
                self.assertEqual("--run-as nobody" not in done.stdout, is_sandboxed)


class Init(ArenaTest):
    def test_usage(self):
        full = self.folder / "full"
        full.mkdir()
        (full / "file").touch()
        for arguments, status, error in (
                (["--gradescope", full], 1, "is not empty, expected a new folder or an empty one"),
                (["--github-classroom", full], 1, "is not empty"),
                (["a.toml", "--gradescope", self.folder / "b"], 2, "expected one of FILE.toml, "
                 "--gradescope and --github-classroom"),
                (["--gradescope", ""], 2, "expected a folder")):
            run = self.arena("init", *arguments, status=status)
            self.assertIn(error, run.report())
        self.assertEqual([path.name for path in full.iterdir()], ["file"])

    def test_github_classroom(self):
        folder = self.folder / "template"
        run = self.arena("init", "--github-classroom", folder, status=0)
        self.assertIn(str(folder / ".github" / "classroom" / "README.md"), run.out.decode())
        try:
            import yaml
        except ImportError:
            self.skipTest("NOTHING IS TRIED: python3-yaml is missing")
        workflow = yaml.safe_load((folder / ".github" / "workflows" / "classroom.yml").read_text())
        self.assertIn("push", workflow["on"])
        job = workflow["jobs"]["run-autograding-tests"]
        self.assertTrue(all("uses" in step or "run" in step for step in job["steps"]))
        grade = next(step for step in job["steps"] if step.get("id") == "grade")
        reporter = job["steps"][-1]
        self.assertEqual((reporter["with"]["runners"], list(reporter["env"])),
                         ("grade", ["GRADE_RESULTS"]))
        # The step itself, in a repository with a bot.
        subprocess.run([ROOT / "bots" / "course" / "make_submissions.py", self.folder / "class"],
                       check=True)
        shutil.copy(self.folder / "class" / "nim" / "xor_not_misere" / "bot.py", folder)
        rubric = folder / ".github" / "classroom" / "rubric.toml"
        text = with_time(rubric.read_text())
        self.assertIn("\n[[part]]", text)
        text = text.replace("\n[[part]]", "sandbox = false\n[[part]]", 1)
        # With fewer questions.
        rubric.write_text(text.replace("heaps=1..3;size=0..5", "heaps=1..2;size=0..5"))
        output, runner = self.folder / "output", self.folder / "runner"
        runner.mkdir()
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
        for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "x"]):
            subprocess.run([*git, *words], cwd=folder, check=True)
        done = subprocess.run(
            ["bash", "-e", "-c", grade["run"]], cwd=folder, capture_output=True, text=True,
            env=dict(self.environment, PATH=f"{BIN}:{os.environ['PATH']}",
                     RUNNER_TEMP=str(runner), GITHUB_OUTPUT=str(output)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Right under misère: ", done.stdout)
        self.assertFalse((runner / "submission" / ".github").exists())
        key, _, value = output.read_text().partition("=")
        results = json.loads(base64.b64decode(value))
        self.assertEqual((key, results["max_score"], results["status"]), ("result", 50, "fail"))
        by_name = {test["name"]: test for test in results["tests"]}
        self.assertEqual(by_name["Right in normal play"]["score"], 15)
        self.assertLess(by_name["Right under misère"]["score"], 15)
        self.assertEqual(by_name["Hidden part"]["message"], "")
        # Without that workflow: all points or none.
        entry, = json.loads((folder / ".github" / "classroom" / "autograding.json").read_text())["tests"]
        self.assertEqual(entry["points"], results["max_score"])
        self.assertIn("apt-get install", entry["setup"])
        for solution, status in (("xor_not_misere", 1), ("reference", 0)):
            shutil.copy(self.folder / "class" / "nim" / solution / "bot.py", folder)
            subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-am", "x"], cwd=folder, check=True)
            temp = self.folder / solution
            temp.mkdir()
            done = subprocess.run(["bash", "-c", entry["run"]], cwd=folder, capture_output=True, text=True,
                                  env={"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(self.folder),
                                       "TMPDIR": str(temp)})
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
