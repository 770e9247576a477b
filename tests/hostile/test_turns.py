"""Bots that compute while others are to move: they are stopped, whatever they start, and judged.

What the bots' children use is counted by themselves, and compared with what they would burn: CPU time
does not depend on how busy the machine is.
"""
import shutil
import statistics

from hostile import *

PYTHON = "/usr/bin/python3"  # the one visible in the sandbox
THINKS = 200  # ms of CPU time for each move of the honest bot
MOVETIME = 10000
CHILDREN = 4
# Run in a mount namespace of its own, before the arena.
ONLY_V1 = ("for place in $(grep ' cgroup2 ' /proc/mounts | cut -d' ' -f2); do umount $place || exit 9; "
           "done; ")
ONLY_V2 = ("mount -t tmpfs none /sys/fs/cgroup && mkdir /sys/fs/cgroup/only && "
           "mount -t cgroup2 none /sys/fs/cgroup/only || exit 9; ")
NONE = "mount -t tmpfs none /sys/fs/cgroup || exit 9; "


class TurnsTest(HostileTest):
    def arena_where(self, setup):
        """The words that start the arena where only these control groups are seen."""
        if os.geteuid() != 0 or not shutil.which("unshare"):
            self.skipTest("NOTHING IS TRIED: control groups are mounted by root")
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c",
                setup + 'exec "$@"', "sh", ARENA]

    def bot(self, kind, argument, **keys):
        home = self.folder / "bots" / kind
        if not home.exists():
            home.mkdir(parents=True)
            for file in (ZOO / (kind + ".py"), ZOO / "bot.py"):
                shutil.copy(file, home)
        return player(shlex.join([PYTHON, "-SB", kind + ".py", str(argument)]), dir=home, **keys)

    def burnt(self, word):
        return [float(line.split()[1]) for _, who, direction, line in Log(self.log).lines
                if who.startswith("Burner") and direction == "!" and line.split()[0] == word]

    def played(self, run):
        """What a match says at its end, and the games of its --jsonl."""
        out, err = run.communicate(timeout=PATIENCE)
        report = (out + err).decode()
        if run.returncode == 9:  # of arena_where()
            self.skipTest("NOTHING IS TRIED: " + report)
        self.assertEqual(run.returncode, 0, report)
        return report, [json.loads(line) for line in (self.folder / "games").read_text().splitlines()]

    def burners_beside_a_thinker(self, arena, kind, *more):
        """A match; its output names `kind`, how players are stopped."""
        self.environment.pop("NIMARENA_PLAYER", None)
        bots = [*self.bot("thinks", THINKS, name="Honest"),
                *self.bot("burns_cores", CHILDREN, name="Burner")]
        run = self.start(*arena, "match", *bots, "--games", 4, "--concurrency", 2, "--seed", 3,
                         "--position", "nim:3,4,5", "--movetime", MOVETIME, "--log", self.log,
                         "--jsonl", self.folder / "games", *more)
        report, games = self.played(run)
        self.assertIn(kind, report)
        self.assertEqual(len(games), 4)
        for game in games:
            self.assertEqual(game["reason"], "no-moves", game)
        self.wait_until(lambda: self.groups_left() == [])
        return report, games

    def assert_stopped(self, report, games):
        """During the honest bot's turns, they used little of what it needed. Unstopped it is two
        or three times as much. They look only when they get to run in their turn, so that a bit of
        that is counted, too."""
        used = self.burnt("off-turn") + self.burnt("between")
        self.assertGreater(len(used), 4)
        moves = sum(len(game["times_us"][0 if game["p1"] == "Honest" else 1::2]) for game in games)
        self.assertLess(statistics.median(used), 0.5 * THINKS / 1000, used)
        if counted := re.search(r"Burner used ([0-9.]+) s of CPU time while", report):
            self.assertLess(float(counted[1]), 0.1 * moves * THINKS / 1000, report)


class Turns(TurnsTest):
    # ---- as it is without ----

    def test_a_bot_that_computes_too_much_off_turn_loses(self):
        bots = [*self.bot("burns_cores", 2, name="Burner"), *self.bot("thinks", 400, name="Honest")]
        run = self.start(ARENA, "match", *bots, "--games", 2, "--position", "nim:1,1", "--seed", 3,
                         "--concurrency", 1, "--movetime", 30000, "--off-turn", "lose", "--jsonl",
                         self.folder / "games")
        _, games = self.played(run)
        for game in games:
            self.assertEqual(game[game["winner"]], "Honest", game)
        judged = [game for game in games if game["reason"] == "off-turn"]
        self.assertTrue(judged, games)
        for game in judged:
            self.assertRegex(game["detail"], r"p[12] used [0-9.]+ s of CPU time while its opponent "
                                             r"was to move, expected [0-9.]+ s at most")

    def test_a_bot_that_starves_itself_is_not_excused(self):
        """Without a control group, what its children used is not known."""
        run = self.start(ARENA, "match", *self.bot("starves_itself", "", name="Bad"), "builtin:perfect", "--games", 2,
                         "--position", "nim:2,2", "--concurrency", 1, "--startup", 1500, "--events", "jsonl")
        told = [json.loads(line) for line in self.end_of(run, 3).out.splitlines() if b'"not-started"' in line]
        self.assertEqual([event["starved"] for event in told], [False], told)

    def test_time_of_grace_is_not_off_turn(self):
        # It needs the grace time for each of its late answers.
        run = self.start(ARENA, "match", *self.bot("thinks", 400, name="Late"), "builtin:random",
                         "--games", 2, "--position", "nim:2,2", "--seed", 3, "--concurrency", 1,
                         "--movetime", 50, "--faults", "replace", "--grace", 60000, "--off-turn",
                         "lose", "--jsonl", self.folder / "games")
        _, games = self.played(run)
        self.assertEqual([game["reason"] for game in games], ["no-moves"] * 2, games)
        for game in games:
            own = game["times_us"][0 if game["p1"] == "Late" else 1::2]
            self.assertGreaterEqual(min(own), 100_000, "the time for a move, and the margin")

    # ---- by each way to stop them ----

    def test_version_2(self):
        self.assert_stopped(*self.burners_beside_a_thinker(
            self.arena_where(ONLY_V2), "by cgroup v2", "--fair"))

    def test_version_1(self):
        self.assert_stopped(*self.burners_beside_a_thinker(
            self.arena_where(ONLY_V1), "by cgroup v1", "--fair"))

    def test_signals(self):
        self.assert_stopped(*self.burners_beside_a_thinker(
            self.arena_where(NONE), "stopped off turn by signals", "--fair"))

    def sandbox_or_skip(self, *arena):
        doctor = self.start(*arena, "doctor")
        out, err = doctor.communicate(timeout=PATIENCE)
        if not re.search(b"--sandbox bwrap +works(.|\n)*--fair +players are frozen", out):
            self.skipTest("NOTHING IS TRIED: " + (out + err).decode())

    def test_sandboxed(self):
        self.sandbox_or_skip(ARENA)
        self.assert_stopped(*self.burners_beside_a_thinker(
            [ARENA], "by cgroup v", "--sandbox", "bwrap"))

    def test_sandboxed_in_version_1(self):
        self.sandbox_or_skip(*self.arena_where(ONLY_V1))
        self.assert_stopped(*self.burners_beside_a_thinker(
            self.arena_where(ONLY_V1), "by cgroup v1", "--sandbox", "bwrap"))

    # ---- the ends of those that are stopped ----

    def test_a_killed_arena_leaves_no_frozen_player(self):
        for setup in (ONLY_V2, ONLY_V1, NONE):
            with self.subTest(setup=setup):
                log = self.folder / "ready"
                log.write_bytes(b"")
                bots = [*self.bot("thinks", 20), *self.bot("burns_cores", 2)]
                arena = self.start(*self.arena_where(setup), "match", *bots, "--games", 1000,
                                   "--fair", "--log", log, "--movetime", MOVETIME)
                self.wait_until(lambda: log.read_bytes().count(b"bestmove") > 4
                                or arena.poll() is not None)
                if arena.poll() is not None:
                    continue  # these groups cannot be mounted here
                players = [pid for pid in self.offspring() if pid != arena.pid]
                self.assertGreater(len(players), 2)
                arena.kill()
                arena.wait()
                self.assertEqual(self.wait_for_deaths(players), [])


class Alone(TurnsTest):
    """The arena's own work."""

    def costly_position(self):
        """A game of four plies, and the seconds that the arena takes to judge each."""
        for size in (300, 600, 1200, 2400, 3100):  # of at most 10^7 bindings
            position = (f"rules{{n->x,y:x+y<n&x*x+y*y=3*n*n&x*3+y*5>=0;n->n-1;stop:n<={size - 4}}}"
                        f":{size}")
            begin = time.monotonic()
            self.arena("match", "builtin:random", "builtin:random", "--position", position,
                       "--games", 2, "--concurrency", 1, "--analysis", 0, "--quiet", status=0)
            cost = (time.monotonic() - begin) / 8
            if cost > 0.1:
                break
        self.assertGreater(cost, 0.02)
        return position, cost

    def test_costly_rules_are_judged_on_no_clock(self):
        # Judged one after the other on the thread that reads, eight answers at once would be seen
        # by up to seven times the cost late, a quarter of them by more than once. A busy machine adds
        # some of it: this test runs alone.
        position, cost = self.costly_position()
        run = self.start(ARENA, "match", *self.bot("waits", 20), *self.bot("waits", 20), "--games", 8,
                         "--concurrency", 8, "--affinity", min(os.sched_getaffinity(0)),
                         "--position", position, "--movetime", 30000, "--analysis", 0, "--log",
                         self.log, "--jsonl", self.folder / "games")
        _, games = self.played(run)
        counted = [us / 1e6 for game in games for us in game["times_us"]]
        took = [float(line.split()[1]) for _, _, direction, line in Log(self.log).lines
                if direction == "!"]
        self.assertEqual(len(counted), 32)
        self.assertEqual(len(took), 32)
        self.assertLess(statistics.quantiles(counted)[2] - statistics.quantiles(took)[2], 0.7 * cost,
                        (counted, took))
