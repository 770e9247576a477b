"""How the arena ends: by itself, by a signal, by kill -9. Nothing stays behind."""
import concurrent.futures
import fcntl
import resource
import struct
import termios

from arena import *

F_SETPIPE_SZ = 1031  # in fcntl from Python 3.10 on
FOREVER = ["--games", "1000000", "--position", "nim:3,4,5", "--jsonl", "-"]


class Endings(ArenaTest):
    def start_with_fifo(self, kind, *arguments):
        """A match whose first player has reported its start on a FIFO."""
        fifo = self.fifo()
        process = self.start(ARENA, "match", *player(zoo(kind, str(fifo)), name="Zoo"), RANDOM,
                             "--concurrency", "1", *arguments)
        # Opened for reading and writing, a FIFO does not wait for its writer.
        with os.fdopen(os.open(fifo, os.O_RDWR), "rb", buffering=0) as alive:
            self.assertTrue(select.select([alive], [], [], PATIENCE)[0], "it does not start")
            self.assertEqual(alive.readline(), b"alive\n")
        return process

    def family(self):
        """A match that never ends, with all processes that its first player has started."""
        process = self.start_with_fifo("whole_family", *FOREVER)
        self.assertTrue(process.stdout.readline())
        pids = self.offspring()
        # The arena and its guardian, two players, a child, a daemon, two sleepers.
        self.assertGreaterEqual(len(pids), 8, pids)
        return process, set(pids)

    def assert_all_dead(self, process, pids):
        process.wait(PATIENCE)
        self.assertEqual(self.wait_for_deaths(pids - {process.pid}), [])
        self.assertEqual(self.offspring(), {})

    def test_too_few_descriptors_are_an_error_and_no_crash(self):
        ends = {}
        for most in range(7, 15):
            process = self.start("prlimit", f"--nofile={most}:{most}", ARENA, "match", RANDOM, RANDOM,
                                 "--games", "2", "--quiet")
            out, err = process.communicate(timeout=PATIENCE)
            ends[most] = (process.returncode, err.decode())
        for status, err in ends.values():
            self.assertIn(status, (0, 1, 3), ends)
            self.assertEqual(status == 0, err == "", ends)
        self.assertIn("Too many open files", ends[9][1], ends)

    def test_the_soft_limit_of_descriptors_is_raised(self):
        """Of the arena and of its guardian."""
        process = self.start("prlimit", "--nofile=9:1024", ARENA, "match", RANDOM, RANDOM, "--games", "2", "--quiet")
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err.decode()), (0, ""))

    def test_kill_9_leaves_no_process(self):
        process, pids = self.family()
        process.kill()
        self.assert_all_dead(process, pids)

    def test_kill_9_leaves_no_private_directory(self):
        process = self.start(ARENA, "match", zoo("decent"), RANDOM, "--env", "clean", *FOREVER)
        self.assertTrue(process.stdout.readline())
        pids = set(self.offspring())
        self.assertNotEqual(list(self.homes.iterdir()), [])
        process.kill()
        self.assert_all_dead(process, pids)
        self.wait_until(lambda: list(self.homes.iterdir()) == [])

    def test_kill_9_of_the_guardian_ends_the_match(self):
        process = self.start(ARENA, "match", zoo("decent"), RANDOM, "--concurrency", "1",
                             *FOREVER)
        self.assertTrue(process.stdout.readline())
        guardians = children(process.pid)
        self.assertEqual(len(guardians), 1, "it is the only child")
        pids = set(self.offspring())
        os.kill(guardians[0], signal.SIGKILL)
        for line in self.end_of(process, 1).out.decode().splitlines():
            self.assertNotIn(json.loads(line)["reason"], FAULTS, "no player's fault")
        self.assert_all_dead(process, pids)

    def interrupt(self, number, status):
        process, pids = self.family()
        # Read at once: an arena that is to end does not wait long for who reads its output.
        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            both = thread.submit(process.communicate, timeout=PATIENCE)
            process.send_signal(number)
            out, err = both.result()
        self.assertEqual(process.returncode, status, err.decode())
        self.assertEqual(self.offspring(), {}, "all are dead before the arena ends")
        run = Finished(status, out, err)
        records = run.games()  # whole lines only; the first was read above
        for game in records:
            self.assertNotIn(game["reason"], FAULTS, game)
        self.assertIn("Zoo", run.report())

    def test_SIGINT(self):
        self.interrupt(signal.SIGINT, 130)

    def test_SIGHUP(self):
        self.interrupt(signal.SIGHUP, 129)

    def test_SIGHUP_that_is_ignored(self):
        process = self.start("nohup", ARENA, "match", RANDOM, RANDOM, *FOREVER)
        self.assertTrue(process.stdout.readline())
        process.send_signal(signal.SIGHUP)  # would be read before the next
        process.send_signal(signal.SIGTERM)
        self.end_of(process, 143)

    def test_SIGINT_before_the_games(self):
        fifo = self.fifo("positions")
        process = self.start(ARENA, "match", RANDOM, RANDOM, "--positions", fifo)
        with open(fifo, "wb"):  # waits for the reader
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(PATIENCE), -signal.SIGINT)

    @unittest.skipIf("thread" in os.environ.get("NIMARENA_SANITIZE", ""),
                     "ThreadSanitizer adds a thread to those that are counted here")
    def test_SIGINT_after_the_games(self):
        """The table comes, although nobody reads the lines of the games."""
        # The record is not read: the first games fill the pipe, and the rest must wait.
        fifo = self.fifo("record")
        with os.fdopen(os.open(fifo, os.O_RDWR), "rb") as record:
            fcntl.fcntl(record, F_SETPIPE_SZ, 4096)
            process = self.start(ARENA, "match", "builtin:random", "builtin:random", "--games",
                                 "20", "--position", "nim:" + ",".join(["60"] * 60),
                                 "--concurrency", "1", "--jsonl", fifo)
            threads = pathlib.Path(f"/proc/{process.pid}/task")
            self.assertTrue(select.select([record], [], [], PATIENCE)[0])
            # The one that waits for the one that writes, the one that waits for signals, and the heartbeat.
            self.wait_until(lambda: len(list(threads.iterdir())) == 4)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("nobody reads it", err.decode())
        self.assertRegex(out.decode(), r"(?s)# player .*\ninterrupted after the last game\n$")

    def test_SIGINT_while_the_games_are_analysed(self):
        """What is left, most of a minute of work, is done soon."""
        pages, before = self.folder / "pages", resource.getrusage(resource.RUSAGE_CHILDREN)
        # The values of these positions are unknown after the two seconds that a game has.
        process = self.start(ARENA, "match", "builtin:random", "builtin:random", "--games", "20", "--position",
                             "grundy:301,602+dawson-chess:403,704 misere", "--quiet", "--report", pages,
                             "--analysis", "36000000")
        said = b""
        while b"\ngames ended by" not in said:  # the table, which precedes the analysis
            line = process.stdout.readline()
            self.assertTrue(line, said)
            said += line
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (130, b""))
        self.assertRegex(out.decode(), r"pages: .*\ninterrupted after the last game\n")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime, 10)
        self.assertIn("player-1.html", (pages / "index.html").read_text())

    def test_SIGINT_keeps_the_pages_of_the_games_so_far(self):
        pages, jsonl = self.folder / "pages", self.folder / "games.jsonl"
        process = self.start(ARENA, "match", *self.gated(moves=100), RANDOM, "--games", "1000", "--position",
                             "nim:1,2", "--concurrency", "1", "--quiet", "--report", pages, "--jsonl", jsonl)
        self.wait_until(lambda: jsonl.exists() and jsonl.read_text().count("\n") >= 10)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (130, b""))
        games = jsonl.read_text().count("\n")
        self.assertIn(f"\npages: {pages}/index.html\n"
                      f"interrupted: {games} of 1000 games played, and kept in {jsonl}\n", out.decode())
        self.assertIn("player-1.html", (pages / "index.html").read_text())

    def test_SIGINT_while_a_player_thinks(self):
        jsonl = self.folder / "games.jsonl"
        process = self.start_with_fifo("hang", "--position", "nim:1", "--games", "2",
                                       "--movetime", "3600000", "--jsonl", jsonl)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE), 130)
        self.assertEqual(jsonl.read_text(), "", "a game without an end is not in the record")
        self.assertEqual(self.offspring(), {})

    def test_output_without_a_reader(self):
        # The reader exits, as in `| head -1`: no SIGPIPE but an error, and no process is left.
        process = self.start(ARENA, "match", zoo("decent"), RANDOM, *FOREVER)
        self.assertTrue(process.stdout.readline())
        pids = set(self.offspring())
        process.stdout.close()
        process.stdout = None
        self.end_of(process, 1)
        self.assert_all_dead(process, pids)


class Descriptors(ArenaTest):
    def test_no_game_keeps_one(self):
        games = self.folder / "games"
        process = self.start(ARENA, "match", *player(RANDOM, restart="on"), "builtin:perfect", "--games",
                             1_000_000, "--position", "nim:1,1", "--concurrency", 1, "--jsonl", games)
        descriptors = pathlib.Path(f"/proc/{process.pid}/fd")

        def played():
            return games.read_bytes().count(b"\n") if games.exists() else 0

        self.wait_until(lambda: played() >= 10)
        begin, before = played(), len(list(descriptors.iterdir()))
        self.wait_until(lambda: played() >= begin + 100)
        self.assertLess(len(list(descriptors.iterdir())), before + 50)


class Output(ArenaTest):
    """Standard output that cannot be written, or is not there."""
    FEW = ["match", "builtin:random", "builtin:random", "--position", "nim:3,4,5", "--games"]

    def test_missing_standard_streams(self):
        lost = "nim-arena: cannot write to standard output: Bad file descriptor\n"
        for closed, expected in ((">&- <&-", (1, lost)), ("<&-", (0, "")), ("2>&-", (0, "")),
                                 ("<&- 2>&-", (0, "")), (">&- 2>&-", (1, "")),
                                 (">&- 2>&- <&-", (1, ""))):
            jsonl = self.folder / "games.jsonl"
            process = self.start("sh", "-c", f'exec "$@" {closed}', "sh", ARENA, *self.FEW, "20",
                                 "--jsonl", jsonl)
            out, err = process.communicate(timeout=PATIENCE)
            self.assertEqual((process.returncode, err.decode()), expected, closed)
            self.assertEqual(b"20 games" in out, ">&-" not in closed.split(), (closed, out))
            self.assertEqual(len(jsonl.read_text().splitlines()), 20)

    def test_log_without_a_reader(self):
        fifo, jsonl = self.folder / "log", self.folder / "games.jsonl"
        os.mkfifo(fifo)
        with os.fdopen(os.open(fifo, os.O_RDWR), "rb") as log:
            fcntl.fcntl(log, F_SETPIPE_SZ, 4096)
            process = self.start(ARENA, "match", RANDOM, RANDOM, "--position", "nim:3,4,5",
                                 "--games", 40, "--jsonl", jsonl, "--log", fifo)
            self.wait_until(lambda: jsonl.exists() and jsonl.read_text().count("\n") == 40)
            self.assertIsNone(process.poll(), "the log is not written yet")
        # No process has it open any more.
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err.decode()),
                         (1, f"nim-arena: cannot write the log '{fifo}': Broken pipe\n"))
        self.assertEqual(jsonl.read_text().count('"reason":"no-moves"'), 40)

    def test_games_are_recorded_while_nobody_reads_them(self):
        fifo, record, games = self.folder / "games", self.folder / "games.db", 10_000
        os.mkfifo(fifo)
        with os.fdopen(os.open(fifo, os.O_RDWR), "rb") as lines:
            process = self.start(ARENA, "match", "builtin:random", "builtin:random", "--position",
                                 "nim:3,4,5", "--games", games, "--record", record, "--jsonl",
                                 fifo, "--quiet")
            self.wait_until(lambda: games_in(record) == games)
            numbers = [json.loads(lines.readline())["game"] for _ in range(games)]
        self.assertEqual(sorted(numbers), list(range(1, games + 1)))
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err.decode()), (0, ""))

    def test_progress_fits_the_terminal(self):
        ours, theirs = os.openpty()
        with os.fdopen(ours, "rb", buffering=0) as screen, os.fdopen(theirs, "wb") as terminal:
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 20, 0, 0))
            self.start(ARENA, "match", *player(RANDOM, name="Жанна-" * 9), RANDOM, *FOREVER[:-2],
                       stdout=terminal)
            shown = b""
            while shown.count(b"\x1b[K") < 3:
                self.assertTrue(select.select([screen], [], [], PATIENCE)[0], shown)
                shown += screen.read(4096)
            rows = re.split(r"\r\x1b\[\d+A|\r|\n", shown.decode(errors="ignore"))
            table = [row[:-3] for row in rows if row.endswith("\x1b[K")]
            self.assertEqual(max(len(row) for row in table), 19, rows)

    def ended(self, *arguments, **options):
        process = self.start(ARENA, *arguments, **options)
        _, err = process.communicate(timeout=PATIENCE)
        return process.returncode, (err or b"").decode()

    def test_full_disk(self):
        full = "nim-arena: cannot write to standard output: No space left on device\n"
        for arguments in ([*self.FEW, 20], [*self.FEW, 200], [*self.FEW, 20, "--quiet"],
                          ["--help"], ["--version"], ["match", "--help"],
                          ["check", "builtin:random", "--help"], ["check", RANDOM]):
            with open("/dev/full", "w") as output:
                self.assertEqual(self.ended(*arguments, stdout=output), (1, full), arguments)

    def test_reader_that_leaves(self):
        for arguments in ([*self.FEW, 20], [*self.FEW, 200], ["--help"], ["match", "--help"]):
            read_end, write_end = os.pipe()
            os.close(read_end)
            with os.fdopen(write_end, "wb") as output:
                self.assertEqual(self.ended(*arguments, stdout=output), (0, ""), arguments)

    def test_stderr_on_a_full_disk(self):
        for arguments, status in (([], 2), (["macth"], 2), (["match"], 2),
                                  (["match", RANDOM, RANDOM, "--log", "/no/log"], 1)):
            with open("/dev/full", "w") as output:
                self.assertEqual(self.ended(*arguments, stderr=output)[0], status, arguments)
