"""The effects of a match's options and a player's keys: the lines sent to a player, where it
runs, and the output."""
from arena import *

# Says where it runs.
WITNESS = """
import json
write(json.dumps(dict(pid=os.getpid(), cores=sorted(os.sched_getaffinity(0)), folder=os.getcwd(),
                      unbuffered=os.environ["PYTHONUNBUFFERED"], said=os.environ.get("WITNESS"))) + "\\n", to=2)
run()
"""


class WitnessTest(ArenaTest):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"

    def witness(self, **keys):
        return self.scripted("Witness", WITNESS, **keys)

    def told(self, sign="<"):
        """The lines sent to it."""
        return re.findall(rf"(?m)^\S+ Witness(?: #\d+)? {sign} (.*)$", self.log.read_text())

    def processes(self):
        return [json.loads(line) for line in self.told("!")]

    def play(self, *players, position="nim:2,1", games=2, time=()):
        run = self.arena("match", *players, "--position", position, "--games", games, *time,
                         "--seed", 1, "--concurrency", 1, "--jsonl", "-", "--strict", "--log", self.log)
        self.assert_played(run, games)
        return run


class Told(WitnessTest):
    def test_all_that_a_player_is_sent(self):
        self.play(*self.witness(option_Level="very high", option_Seed=7), "builtin:perfect",
                  position="nim:1")
        self.assertEqual(self.told(), [
            "ugi", "setoption name Level value very high", "setoption name Seed value 7", "isready",
            "setoption name Seed value 7", "uginewgame", "isready",
            "position fen nim:1", "go movetime 600000 searchmoves 1=0",
            "setoption name Seed value 7", "uginewgame", "isready", "quit"])

    def test_options_that_a_bot_does_not_take_are_warned_of_once(self):
        run = self.arena("match", *player(ENGINE, option_Foo=3, option_Hsh=1, option_Hash="abc"),
                         *GOOD, "--games", 4, "--seed", 1, status=0)
        declared = "Seed, Choice, Losing, Hash, QueryTime"
        self.assertEqual([line for line in run.out.decode().splitlines() if "warning" in line], [
            "warning: nim-engine: read option.Foo, expected one that it declares in its "
            "handshake: " + declared,
            "warning: nim-engine: read option.Hsh, expected one that it declares in its "
            "handshake: " + declared + ", did you mean 'Hash'?",
            "warning: nim-engine: it refuses an option: there is no option 'Foo'",
            "warning: nim-engine: it refuses an option: there is no option 'Hsh'",
            "warning: nim-engine: it refuses an option: option Hash: read 'abc', expected a "
            "number from 1 to 1048576"])

    def test_seeds_are_those_of_the_record(self):
        run = self.play(*self.witness(), "builtin:perfect", position="nim:1")
        seeds = [line.split()[-1] for line in self.told() if line.startswith("setoption name Seed")]
        self.assertEqual(seeds, [str(game["seeds"][0 if game["p1"] == "Witness" else 1])
                                 for game in run.games()])
        self.assertEqual(len(set(seeds)), 2)

    def test_a_question_follows_the_keys_of_its_player(self):
        taker = self.scripted("Witness", 'run(go=lambda words: say("bestmove 1=0"))', history="off",
                              legalmoves="off")
        self.play(*taker, "builtin:perfect", time=("--tc", "60000+20000"))
        told = [line for line in self.told() if line.startswith(("position", "go"))]
        self.assertEqual(told[:3], ["position fen nim:2,1",
                                    "go p1time 60000 p2time 60000 p1inc 20000 p2inc 20000",
                                    "position fen nim:1,1"])


class Where(WitnessTest):
    def test_a_process_is_used_again_or_restarted(self):
        for restart, number in (("off", 1), ("on", 6)):
            self.play(*self.witness(restart=restart), "builtin:perfect", games=6)
            self.assertEqual(len({process["pid"] for process in self.processes()}), number)
            for word, times in (("ugi", number), ("quit", number), ("uginewgame", 6)):
                self.assertEqual(self.told().count(word), times)

    def test_environment_and_folder(self):
        self.play(*self.witness(env_WITNESS="a b=\"c\"", dir=self.folder), "builtin:perfect")
        process, = self.processes()
        self.assertEqual(process["said"], "a b=\"c\"")
        self.assertEqual(process["folder"], str(self.folder.resolve()))
        self.assertEqual(process["unbuffered"], "1")

    def cores(self, *arguments, **keys):
        run = self.match(*self.witness(**keys), "builtin:perfect", *arguments, "--log", self.log, games=2)
        self.assert_played(run, 2)
        return [process["cores"] for process in self.processes()], run

    def allowed(self):
        return sorted(os.sched_getaffinity(0))

    def test_pinned_to_a_core(self):
        core = self.allowed()[-1]
        cores, run = self.cores("--affinity", core)
        self.assertEqual(cores, [[core]])
        self.assertIn("pinned to cores", run.report())

    def test_threads_unpin(self):
        cores, _ = self.cores("--affinity", "on", "--concurrency", 1, threads=2)
        self.assertEqual(cores, [self.allowed()])

    def test_a_core_that_does_not_exist(self):
        run = self.match("builtin:random", "builtin:perfect", "--affinity", "1000")
        self.assertEqual((run.status, run.out), (2, b""))
        self.assertEqual(run.report(), "nim-arena: --affinity: read 1000, expected cores that this "
                         "process may use: " + ",".join(map(str, self.allowed())) + "\n")


class Limits(ArenaTest):
    def test_adjudicated_for_either_player(self):
        # Perfect play keeps the value, so any limit gives the same winner.
        for position, winner in (("nim:3,4,5", "p1"), ("nim:1,2,3", "p2"),
                                 ("nim:2,2,2 misere", "p1"), ("nim:2,2 misere", "p2")):
            for plies in (1, 2):
                run = self.match("builtin:perfect", "builtin:perfect", "--max-plies", plies,
                                 position=position, games=2)
                for game in self.assert_played(run, 2):
                    self.assertEqual((game["reason"], len(game["moves"]), game["winner"]),
                                     ("adjudicated", plies, winner), game)


class Sandbox(ArenaTest):
    def test_no_record_in_the_directory_of_a_sandboxed_bot(self):
        self.need_sandbox()
        bots = self.folder / "bots"
        bots.mkdir()
        (bots / "bot.sh").write_text("exec cat\n")
        run = self.start(ARENA, "tournament", *player("sh bot.sh", dir="."), *GOOD, "--sandbox", "bwrap",
                         "--record", "new.db", cwd=bots)
        self.assertIn(f"sees {bots}, and there {bots / 'new.db'}: keep them apart",
                      self.end_of(run, 3).report())
        self.assertEqual([file.name for file in bots.iterdir()], ["bot.sh"])


class Seeds(ArenaTest):
    def test_a_seed_that_was_drawn_can_be_given(self):
        arguments = ["match", RANDOM, "builtin:random", "--games", 6, "--jsonl", "-"]
        first = self.arena(*arguments)
        seed = re.search(r"seed ([0-9]+)", first.report())[1]
        again = self.arena(*arguments, "--seed", seed)
        runs = [self.assert_played(run, 6) for run in (first, again)]
        for game in runs[0] + runs[1]:
            del game["times_us"]
        self.assertEqual(runs[0], runs[1])
        self.assertEqual({str(game["seed"]) for game in runs[0]}, {seed})

    def test_a_quiet_match_ends_with_the_seed_that_nothing_else_tells(self):
        quiet = ["match", "builtin:random", "builtin:perfect", "--games", 2, "--quiet"]

        def told(*more):  # without the time that a move took
            return re.sub(r" *[0-9]+\.[0-9](?= [0-9]+-)", " T", self.arena(*quiet, *more).out.decode())
        out = told()
        self.assertIn(" T ", out)
        seed = re.search(r"\nseed ([0-9]+)\n$", out)[1]
        self.assertEqual(told("--seed", seed), out.replace(f"seed {seed}\n", ""))
        for more in (["--record", self.folder / "games.db"], ["--jsonl", self.folder / "games"]):
            self.assertNotIn("seed", self.arena(*quiet, *more).out.decode())


class Log(ArenaTest):

    def test_a_line_of_stderr_that_is_written_in_pieces(self):
        log = self.folder / "log"
        bot = self.scripted("Ann", """
def go(words):
    for piece in ("heap", " 1", " of 3\\nnext", " line\\nhalf a line"):
        write(piece, to=2)
        time.sleep(0.05)
    play(words)


run(go=go)
""")
        run = self.match(*bot, *GOOD, "--log", log,
                         "--concurrency", 1, position="nim:1", games=2)
        self.assert_played(run, 2)
        said = [line.split(" ", 1)[1] for line in log.read_text().splitlines() if " ! " in line]
        self.assertEqual(said, ["Ann ! heap 1 of 3", "Ann ! next line", "Ann ! half a line"])

    def test_late_timers_of_the_machine(self):
        log, fifo = self.folder / "log", self.folder / "fifo"
        os.mkfifo(fifo)
        process = self.start(ARENA, "match", zoo("hang", str(fifo)), "builtin:perfect", "--movetime",
                             3600000, "--position", "nim:1", "--log", log)
        with open(fifo):  # waits for the writer
            stopped = time.monotonic()
            process.send_signal(signal.SIGSTOP)
            os.waitpid(process.pid, os.WUNTRACED)
            self.wait_until(lambda: time.monotonic() > stopped + 0.2)
            process.send_signal(signal.SIGCONT)

        def overslept():
            return [float(line.split()[5]) for line in log.read_text().splitlines()
                    if " ... a timer woke " in line]
        self.wait_until(lambda: max(overslept(), default=0) > 150)
        self.assertGreaterEqual(min(overslept()), 10)

    def test_an_output_that_cannot_be_written_ends_the_match(self):
        for option, what in (("--log", "log"), ("--jsonl", "games")):
            run = self.arena("match", RANDOM, "builtin:random", "--games", 1000000, option,
                             "/dev/full", "--quiet", status=1)
            self.assertEqual(run.report(), f"nim-arena: cannot write the {what} '/dev/full': "
                                           "No space left on device\n")
