"""The starter kits as users get them: written by `nim-arena new`, built by the command that it prints,
checked, and played. A language that is not installed fails its test.
"""
import shutil

from arena import *
from test_check import LATE, SOUND

MEBIBYTE = 1 << 20
FOREVER = 10 ** 8  # milliseconds


class Kit:
    """The tests of each language. A subclass says how an idea is written in it."""
    language = ""
    tools = ()  # that it needs
    bots = ("nim_bot", "random_bot")
    idea = ""  # the file with choose_move()
    # The first line of the idea, and the lines put before it: an idea that fails if heap 1 is 98,
    # never ends and never asks whether to stop if it is 99, and else thinks as long as it may.
    first_line = ""
    long_thought = ""

    @classmethod
    def setUpClass(cls):
        for tool in cls.tools:
            if not shutil.which(tool):
                raise AssertionError(f"{tool} is not installed: `tests/run.sh kits` installs it")
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.kit = cls.make_kit(pathlib.Path(temporary.name) / "my bot")
        cls.thinker = cls.make_kit(pathlib.Path(temporary.name) / "thinker", cls.think_long)

    @classmethod
    def make_kit(cls, folder, change=lambda folder: None):
        """`nim-arena new`, `change`, and the build command that it printed."""
        run = subprocess.run([ARENA, "new", cls.language, folder], capture_output=True, text=True)
        assert (run.returncode, run.stderr) == (0, ""), run
        commands = run.stdout.split("next:\n")[1].splitlines()
        assert len(commands) == 4, run.stdout
        change(folder)
        if commands[0].startswith("  ("):
            offline = dict(os.environ, CARGO_NET_OFFLINE="true", GOPROXY="off", GOFLAGS="-mod=mod")
            built = subprocess.run(["sh", "-c", commands[0]], env=offline, capture_output=True,
                                   text=True)
            assert built.returncode == 0, built.stdout + built.stderr
            assert "warning" not in built.stdout + built.stderr, built.stdout + built.stderr
        return folder

    @classmethod
    def think_long(cls, folder):
        path = folder / cls.idea
        text = path.read_text()
        assert text.count(cls.first_line) == 1, cls.first_line
        path.write_text(text.replace(cls.first_line, cls.long_thought + cls.first_line))

    def nim_bot(self):
        return str(self.kit / self.bots[0])

    def random_bot(self):
        return str(self.kit / self.bots[1])

    # ---- the arena's view ----

    def check(self, bot, not_checked):
        run = self.arena("check", shlex.quote(bot), "--json", "--seed", 1, *SOUND)
        points = json.loads(run.out)["points"]
        found = {point["point"]: point["result"] for point in points if point["result"] != "ok"
                 and not (point["result"] == "note" and point["point"] in LATE)}
        self.assertEqual(found, dict.fromkeys(not_checked, "not-checked"), points)
        self.assertEqual(run.status, 0)

    def test_bot_for_nim_passes_the_check_without_a_note(self):
        self.check(self.nim_bot(), ["take", "mixed", "others", "given"])

    def test_bot_for_all_games_passes_the_check_without_a_note(self):
        self.check(self.random_bot(), ["given"])

    def play(self, bot, *positions):
        places = [word for position in positions for word in ("--position", position)]
        run = self.arena("match", shlex.quote(bot), "builtin:random", *places, "--games", 100,
                         "--movetime", 30000, "--startup", 30000, "--seed", 1, "--strict",
                         "--analysis", 0, "--quiet", status=0)
        self.assertRegex(run.out.decode(), r"(?m)^games ended by: no-moves 100$")

    def test_plays_a_hundred_games_of_nim(self):
        self.play(self.nim_bot(), "nim:3,4,5", "nim:1,3,5,7 misere", "nim:0,9,2+nim:6,6",
                  "nim:20,9223372036854775807", "nim:1,1,1,1,1 misere")

    def test_plays_a_hundred_of_other_games(self):
        self.play(self.random_bot(), "kayles:7+take{1,3,4}:9", "wythoff:(3,5),(2,2) misere",
                  "graph{a->b,c;b->c}:a,b", "rules{n->x,n-x:0<x&x<n-x}:12", "nim:(w*2+3),4")

    # ---- lines ----

    def say(self, bot, text):
        """The answers of the bot to `text` and the end of input."""
        process = self.start(bot, stdin=subprocess.PIPE)
        out, err = process.communicate(text.encode(), timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (0, b""))
        return out.decode().splitlines()

    def test_reads_lines_of_a_mebibyte(self):
        line = "position fen nim:5" + ",0" * (MEBIBYTE // 2 - 10) + "\n"
        self.assertEqual(len(line), MEBIBYTE - 1)
        self.assertEqual(self.say(self.nim_bot(), line + "go movetime 100\n"), ["bestmove 1=0"])
        moves = " 2=1" * ((MEBIBYTE - 60) // 4)
        self.assertEqual(self.say(self.random_bot(), f"position fen kayles:1,2\ngo searchmoves{moves}\n"),
                         ["bestmove 2=1"])

    def test_refuses_other_rulesets_and_keeps_the_position(self):
        refused = ("kayles:3", "nim:3,x", "nim:", "nim:3 backwards", "nim:9223372036854775808",
                   "nim:3 moves 1=3", "nim:w+1", "x" * 10000)
        lines = "position fen nim:7,7\n" + "".join(f"position fen {text}\n" for text in refused)
        *errors, move = self.say(self.nim_bot(), lines + "go\n")
        self.assertEqual(len(errors), len(refused))
        for error in errors:
            self.assertTrue(error.startswith("info string error "), error)
            self.assertLess(len(error), 200)
        self.assertIn(move, ("bestmove 1=6", "bestmove 2=6"))

    def test_leaves_two_equal_heaps(self):
        positions = ("nim:5,0,3", "nim:1,1,2", "nim:4,0,2,4", "nim:3,1,1 misere")
        text = "".join(f"position fen {position}\ngo\n" for position in positions)
        self.assertEqual(self.say(self.nim_bot(), text),
                         ["bestmove 1=3", "bestmove 3=0", "bestmove 3=0", "bestmove 1=0"])

    def test_repeats_its_moves_for_the_same_seed(self):
        for bot, line in ((self.nim_bot(), "position fen nim:5,5,5,5,5,5,5,5\ngo\n"),
                          (self.random_bot(), "go searchmoves 1=0 2=0 2=1 2=2 3=0 3=1 3=2\n")):
            def game(seed):
                return self.say(bot, f"setoption name Seed value {seed}\n" + line * 20)
            self.assertEqual(len(game(7)), 20)
            self.assertEqual(game(7), game(7))
            self.assertNotEqual(game(7), game(8))

    # ---- while it thinks ----

    def think(self, position, go):
        """A bot that has been asked and is thinking."""
        bot = self.start(self.thinker / self.bots[0], stdin=subprocess.PIPE)
        bot.stdin.write(f"position fen {position}\n{go}\nisready\n".encode())
        self.assertEqual(bot.stdout.readline(), b"readyok\n")  # before its `bestmove`
        return bot

    def finish(self, bot, lines, status=0):
        """Its output from here to its end."""
        out, err = bot.communicate(lines.encode(), timeout=PATIENCE)
        self.assertEqual((bot.returncode, err), (status, b""))
        return out.decode().splitlines()

    def test_answers_stop_while_it_thinks(self):
        for go in ("go infinite", f"go movetime {FOREVER}",
                   f"go p1time {20 * FOREVER} p2time 0 p1inc 0 p2inc 0"):
            bot = self.think("nim:5", go)
            bot.stdin.write(b"stop\n")
            self.assertEqual(bot.stdout.readline(), b"bestmove 1=0\n", go)
            self.assertEqual(self.finish(bot, "stop\nisready\nquit\n"), ["readyok"])

    def test_answers_in_time(self):
        lines = ("position fen nim:5\ngo movetime 10\ngo movetime 0\n"
                 f"go p1time 20 p2time {FOREVER}\n"
                 f"position fen nim:5 moves 1=3\ngo p1time {FOREVER} p2time 20\n")
        bot = self.start(self.thinker / self.bots[0], stdin=subprocess.PIPE)
        self.assertEqual(self.finish(bot, lines), ["bestmove 1=0"] * 4)

    def test_quits_while_it_thinks(self):
        self.assertEqual(self.finish(self.think("nim:99", f"go movetime {FOREVER}"), "quit\n"), [])

    def test_answers_at_the_end_of_input(self):
        self.assertEqual(self.finish(self.think("nim:5", "go infinite"), ""), ["bestmove 1=0"])
        self.assertEqual(self.say(self.nim_bot(), "position fen nim:5\ngo"), ["bestmove 1=0"])
        self.assertEqual(self.say(self.random_bot(), "go infinite searchmoves 1=0\n"), ["bestmove 1=0"])

    def test_other_lines_wait_while_it_thinks(self):
        bot = self.think("nim:5", "go infinite")
        bot.stdin.write(b"position fen nim:0,7\ngo movetime 1\nposition fen no\nisready\n")
        self.assertEqual(bot.stdout.readline(), b"readyok\n")
        first, second, error = self.finish(bot, "stop\n")
        self.assertEqual((first, second), ("bestmove 1=0", "bestmove 2=0"))
        self.assertTrue(error.startswith("info string error "), error)

    def test_an_error_of_the_idea_ends_the_bot(self):
        bot = self.start(self.thinker / self.bots[0], stdin=subprocess.PIPE)
        bot.stdin.write(b"position fen nim:98\ngo\n")  # its input stays open
        self.assertEqual(bot.stdout.read(), b"")
        self.assertIn(b"an idea that fails", bot.stderr.read())
        self.assertNotEqual(bot.wait(PATIENCE), 0)


class Python(Kit, ArenaTest):
    language, tools = "python", ("python3",)
    bots = ("nim_bot.py", "random_bot.py")
    idea = "nim_bot.py"
    first_line = "    standing = ["
    long_thought = """    if heaps[0] == 98:
        raise RuntimeError("an idea that fails")
    while heaps[0] == 99 or not time_is_up():
        pass
"""


class Cpp(Kit, ArenaTest):
    language, tools = "cpp", ("g++", "make")
    idea = "nim_bot.cpp"
    first_line = "    std::vector<std::size_t> standing;"
    long_thought = """    if (heaps[0] == 98) throw std::runtime_error("an idea that fails");
    for (volatile int i = 0; heaps[0] == 99 || !time_is_up(); i = i + 1) {}
"""

    def test_a_bot_is_built_with_the_library(self):
        library = self.folder / "library"
        source = self.kit / "with_library"
        self.assertEqual(len((source / "library_bot.cpp").read_text().split("\n")), 12)
        cmake = os.environ["CMAKE"]
        for step in (["--install", BIN.parent, "--prefix", library, "--component", "library"],
                     ["-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={library}"],
                     ["--build", source / "build"]):
            run = subprocess.run([cmake, *step], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        bot = str(source / "build" / "library_bot")
        self.check(bot, ["given"])
        self.play(bot, "kayles:7+take{1,3,4}:9", "wythoff:(3,5),(2,2) misere", "nim:3,4,5")


class Java(Kit, ArenaTest):
    language, tools = "java", ("javac", "java", "make")
    idea = "NimBot.java"
    first_line = "        List<Integer> standing"
    long_thought = """        if (heaps[0] == 98) throw new RuntimeException("an idea that fails");
        while (heaps[0] == 99 || !timeIsUp()) {}
"""


class JavaScript(Kit, ArenaTest):
    language, tools = "javascript", ("node",)
    bots = ("nim_bot.js", "random_bot.js")
    idea = "nim_bot.js"
    first_line = "  const standing ="
    long_thought = """  if (heaps[0] === 98n) throw new Error('an idea that fails');
  while (heaps[0] === 99n || !timeIsUp()) {}
"""


class Rust(Kit, ArenaTest):
    language, tools = "rust", ("cargo",)
    bots = ("target/release/nim_bot", "target/release/random_bot")
    idea = "src/bin/nim_bot.rs"
    first_line = "    let standing:"
    long_thought = """    assert!(heaps[0] != 98, "an idea that fails");
    while heaps[0] == 99 || !_time.is_up() {}
"""


class Go(Kit, ArenaTest):
    language, tools = "go", ("go",)
    bots = ("bin/nim_bot", "bin/random_bot")
    idea = "nim_bot/main.go"
    first_line = "\tvar standing []int"
    long_thought = """	if heaps[0] == 98 {
		panic("an idea that fails")
	}
	for heaps[0] == 99 || !timeIsUp() {
	}
"""
