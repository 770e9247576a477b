"""Runs bad bots in tournaments among honest players, and checks the result for all of them.

Each file of bots/ says in its first line what it does, and what becomes of it: `loses by REASON` or
`plays on`. That line is what the tests hold the arena to.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

from arena import *  # noqa: E402

SANITIZED = bool(os.environ.get("NIMARENA_SANITIZE"))
MARGIN = 0.05  # seconds, the default of --margin
LONG = 60000  # ms for the moves of those that need no time, however busy the machine
MEMORY = (1024 if SANITIZED else 64) << 20  # bytes that the arena may take, see README.md
REASONS = FAULTS | {"no-moves"}

# Each pair of them plays the same games in every tournament, because seeds derive from keys.
HONEST = [player(ENGINE, name="Hero", movetime=LONG), player(GREEDY, name="Greedy", movetime=LONG),
          player(RANDOM, name="Random", movetime=LONG)]


class Bot:
    """A bot under test. `exit`: how its process ends, if it does so before the game.
    `name`: its name in the arena, or None for the name that it gives itself."""

    def __init__(self, kind, argument="", *, exit=None, name="", **keys):
        self.kind, self.exit = kind, exit
        self.arguments = [argument] if argument else []
        self.name = f"{kind} {argument}".strip() if name == "" else name
        self.keys = keys
        self.outcome = outcome_of(ZOO / (kind + ".py"))

    def player(self):
        name = {} if self.name is None else {"name": self.name}
        return player(zoo(self.kind, *self.arguments), **name, **self.keys)


def outcome_of(file):
    """The reasons by which its game may end, from the bot's first line."""
    first = file.read_text(encoding="utf-8").splitlines()[0]
    found = re.fullmatch(r"# .*?(?:(plays on)|loses by ([a-z-]+)(?: or ([a-z-]+))?)(?:, .*)?\.",
                         first)
    assert found, f"{file.name}: read {first!r}, expected what becomes of it"
    outcome = {"no-moves"} if found[1] else set(filter(None, found.groups()[1:]))
    assert outcome <= REASONS, first
    return outcome


class Log:
    """The contents of --log: [(seconds, player, direction, line)]."""

    def __init__(self, path):
        self.lines, self.whole = [], True
        for text in path.read_text(encoding="utf-8").split("\n")[:-1]:
            if line := re.fullmatch(r"([0-9.]+) (.*?)(?: #\d+)? ([<>!]) (.*)", text):
                self.lines.append((float(line[1]), *line.groups()[1:]))
            elif re.fullmatch(r"[0-9.]+ \.\.\. \d+ lines left out", text):
                self.whole = False
            elif not re.fullmatch(r"[0-9.]+ (.*? = memory \d+|\.\.\. a timer woke [0-9.]+ ms late)", text):
                raise AssertionError(f"the log says {text!r}")

    def waits(self, name):
        """[seconds from the line before a question, which is before the clock starts, to `quit`], where
        `quit` came instead of an answer. A question is a position and `go`, which are noted as they are
        sent, after the clock has started."""
        found, before, since = [], 0, None
        for time, who, direction, line in self.lines:
            if who != name or direction == "!":
                continue
            if direction == "<" and line.startswith("quit") and since is not None:
                found.append(time - since)
            if direction == "<":
                since = before if line.startswith("go") else None
            if direction == ">" or not line.startswith("position"):
                before = time
        return found


class HostileTest(ArenaTest):
    def setUp(self):
        super().setUp()
        self.work, self.temporary = self.folder / "work", self.folder / "tmp"
        self.work.mkdir()
        self.temporary.mkdir()
        self.environment["TMPDIR"] = str(self.temporary)
        self.log = self.folder / "log"
        self.record = self.folder / "record.db"
        self.groups_before = self.groups_of_dead_guardians()

    @staticmethod
    def groups_of_dead_guardians():
        """cgroups of guardians of this PID namespace that are gone. Those of living ones come and go."""
        namespace = os.stat("/proc/self/ns/pid").st_ino
        found = [pathlib.Path(folder, name)
                 for folder, names, _ in os.walk("/sys/fs/cgroup") for name in names
                 if re.fullmatch(f"nimarena-[0-9]+-[0-9]+.*-{namespace}", name)]
        return {str(group) for group in found
                if not is_alive(group.name.split("-")[1])}

    def groups_left(self):
        """Those that were not there before the test: what was killed together with its guardian,
        before the test or by another program, leaves its group."""
        return sorted(self.groups_of_dead_guardians() - self.groups_before)

    def nim_arena(self, *words, status=0):
        """Runs it to its end; no process is left, and its memory is bounded."""
        out, err = self.folder / "out", self.folder / "err"
        with open(out, "wb") as output, open(err, "wb") as errors:
            process = self.start(ARENA, *words, cwd=self.work, stdout=output, stderr=errors)
            memory = self.watch_memory(process)
        run = Finished(process.returncode, out.read_bytes(), err.read_bytes())
        self.assertEqual(run.status, status, run.report())
        self.assert_nothing_left()
        self.assertLess(memory, MEMORY)
        return run

    def watch_memory(self, process):
        """Its peak memory in bytes, up to its end: VmHWM only grows."""
        deadline, memory = time.monotonic() + PATIENCE, 0
        while process.poll() is None:
            self.assertLess(time.monotonic(), deadline, "it does not end")
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            if found := re.search(r"VmHWM:\s+(\d+) kB", status):  # a zombie has none
                memory = int(found[1]) << 10
            try:
                process.wait(0.02)
            except subprocess.TimeoutExpired:
                pass
        return memory

    def assert_nothing_left(self):
        self.assertEqual(self.offspring(), {}, "left behind")
        self.assertEqual(list(self.work.iterdir()) + list(self.temporary.iterdir()), [],
                         "files left behind")

    def assert_words(self, data):
        """Valid UTF-8, without characters that move a cursor or change the direction of text."""
        text = data.decode("utf-8")
        controls = {c for c in text if c < " " or "\x7f" <= c < "\xa0"}
        self.assertLessEqual(controls, {"\n", "\r"})
        self.assertFalse(set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2069"), "bidi")
        return text

    def tournament(self, players, position, movetime, startup, record, logged, *more):
        words = ["tournament", "--format", "gauntlet", "--games", 2, "--seed", 5, "--position",
                 position, "--movetime", movetime, "--startup", startup, "--concurrency", 6,
                 "--analysis", 0, "--record", record, "--events", "jsonl", "--quiet", *more]
        words.append("--keep-going")
        if logged:
            words += ["--log", self.log]
        run = self.nim_arena(*words, *[word for one in players for word in one])
        events = [json.loads(line) for line in run.out.decode().splitlines()]
        exported = self.nim_arena("export", record, "--format", "jsonl").games()
        played = {event["game"]: dict(event) for event in events if event["event"] == "game"}
        for game in played.values():
            del game["event"]
        self.assertEqual({game["game"]: game for game in exported}, played)
        self.assertEqual(len(played), 2 * (len(players) - 1))
        return events, played

    played_alone = {}  # by position

    def alone(self, position):
        """The games of the honest players without any other, which are the same in every test."""
        if position not in self.played_alone:
            _, self.played_alone[position] = self.tournament(
                HONEST, position, 500, LONG, self.folder / "alone.db", False)
        return self.played_alone[position]

    def play(self, bots, *, position="nim:3,4,5", movetime=500, startup=LONG, logged=True):
        """Plays all of `bots` and the honest players against the hero, many games at once. Returns
        the games of each bot."""
        players = HONEST + [bot.player() for bot in bots]
        events, games = self.tournament(players, position, movetime, startup, self.record, logged)

        def of(pairing):
            return [game for key, game in games.items() if int(key.split(".")[1]) == pairing]

        for game in self.alone(position).values():
            self.assertEqual(game["reason"], "no-moves")
            there = games[game["game"]]
            for key in ("p1", "p2", "position", "moves", "winner", "reason", "seeds"):
                self.assertEqual(there[key], game[key], there)
        found = {}
        faults = {event["game"] for event in events if event["event"] == "fault"}
        for pairing, bot in enumerate(bots, len(HONEST)):
            with self.subTest(bot=bot.name):
                found[bot.name] = of(pairing)
                self.judge(bot, found[bot.name], faults)
        if logged:
            log = Log(self.log)
            for bot in bots:
                with self.subTest(bot=bot.name):
                    self.judge_times(bot, found[bot.name], log, movetime)
        return found

    def judge(self, bot, games, faults):
        self.assertEqual(len(games), 2)
        for game in games:
            self.assertIn(game["reason"], bot.outcome, game)
            self.assertIn("Hero", (game["p1"], game["p2"]))
            self.assertEqual(game["game"] in faults, game["reason"] in FAULTS)
            # A flood may be judged before the end of its process is known.
            ends = [bot.exit, None] if game["reason"] == "protocol" else [bot.exit]
            self.assertIn(game.get("exit"), ends, game)
            self.assertRegex(game["detail"], r"^\w.*\w", game)
            if game["reason"] not in FAULTS:
                continue
            self.assertEqual(game[game["winner"]], "Hero", game)
            if game["reason"] == "startup":
                self.assertEqual(game["moves"], [])
            else:  # moves of both alternate up to the faulty one, which is left out
                self.assertEqual(len(game["moves"]) % 2, int(game["p1"] == "Hero"), game)

    def judge_times(self, bot, games, log, movetime):
        """No player is ended before its time for a move is over."""
        if games[0]["reason"] == "timeout":
            self.assertTrue(log.whole)
            waits = log.waits(bot.name)
            self.assertEqual(len(waits), 2, waits)
            self.assertGreaterEqual(min(waits), bot.keys.get("movetime", movetime) / 1000 + MARGIN, bot.name)
