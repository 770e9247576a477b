"""Eight workers on one record, and all that may happen to them, in an order drawn by a seed. The
record is compared with that of one machine with the same seed. The long run needs root, for a
network namespace and a small disk; the short one, which CI runs, does without them."""
import math
import random
import socketserver
import threading

from cluster import *

LEASE = 2  # seconds
CALM = [sys.executable, "-B", str(pathlib.Path(__file__).parent / "bots" / "calm.py")]
# Twenty cycles of four players, so that somebody must plan all the time.
CONTEST = ["--format", "round-robin", "--cycles", 20, "--position", "nim:1,2", "--position",
           "nim:2,2", "--seed", 7, "--quiet", "--analysis", 0, "--movetime", 600_000, "--startup",
           600_000]
FULL = "No space left on device"


def players(pace):
    calm = shlex.join([*CALM, pace.server_address])
    return [*player("builtin:perfect", name="Ann"), *player(calm, name="Bob"),
            *player(calm, name="Cid"), *player(calm, name="Dan")]


class Pace(socketserver.ThreadingUnixStreamServer):
    """Lets each move of the bots take `delay` seconds, and holds all once `limit` have been asked for."""
    daemon_threads = True
    block_on_close = False

    def __init__(self, test, path):
        super().__init__(str(path), Pace.Bot)
        self.moves, self.limit, self.delay = 0, math.inf, 0
        self.changed = threading.Condition()
        threading.Thread(target=self.serve_forever, daemon=True).start()
        test.addCleanup(self.server_close)
        test.addCleanup(self.shutdown)
        test.addCleanup(self.let, math.inf)

    def let(self, limit):
        with self.changed:
            self.limit = limit
            self.changed.notify_all()

    def wait_for_turn(self):
        time.sleep(self.delay)
        with self.changed:
            self.moves += 1
            number = self.moves
            self.changed.wait_for(lambda: number <= self.limit)

    class Bot(socketserver.BaseRequestHandler):
        def handle(self):
            with contextlib.suppress(OSError):  # it may be killed
                while self.request.recv(1):
                    self.server.wait_for_turn()
                    self.request.sendall(b"!")


class Supervised(threading.Thread):
    """A process that is started again when it ends before the contest does, as systemd would."""

    def __init__(self, start_process):
        super().__init__(daemon=True)
        self.start_process, self.ends = start_process, []
        self.is_over = threading.Event()
        self.process = start_process()
        self.start()

    def run(self):
        while True:
            _, err = self.process.communicate()
            self.ends.append((self.process.returncode, err.decode()[-500:]))
            if self.process.returncode == 0 or self.is_over.wait(0.2):
                return
            self.process = self.start_process()

    def send(self, number):
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)


class FaultTest(ClusterTest):
    SEED = None  # drawn

    def setUp(self):
        super().setUp()
        seed = int(os.environ.get("NIMARENA_SEED") or self.SEED or random.randrange(2**32))
        print(f"NIMARENA_SEED={seed} repeats this order of faults", file=sys.stderr)
        self.chance = random.Random(seed)
        self.supervised = []
        self.addCleanup(self.end_supervision)

    def end_supervision(self):
        for supervised in self.supervised:
            supervised.is_over.set()
            supervised.send(signal.SIGKILL)
            supervised.join(PATIENCE)

    # ---- who plays ----

    def supervise(self, *command):
        supervised = Supervised(lambda: self.start(*command, stdout=subprocess.DEVNULL))
        self.supervised.append(supervised)
        return supervised

    def plan(self, games):
        return self.supervise(ARENA, "tournament", *players(self.pace), *CONTEST, "--games", games,
                              "--concurrency", 1, "--lease", f"{LEASE}s", "--record",
                              self.server.url())

    def work(self, host="127.0.0.1", within=()):
        return self.supervise(*within, ARENA, "work", self.server.url(host=host), "--cores", 1,
                              "--lease", f"{LEASE}s", "--scale-time", "--quiet")

    # ---- what happens ----

    def kill_a_worker(self):
        self.chance.choice(self.workers).send(signal.SIGKILL)

    def kill_who_plans(self):
        """Whoever of all has the planner's lock."""
        port = self.server.value("SELECT client_port FROM pg_locks JOIN pg_stat_activity USING (pid) "
                                 "WHERE locktype = 'advisory' AND classid = 1315532097")
        for supervised in self.supervised:
            if port and self.holds(supervised.process.pid, int(port)):
                supervised.send(signal.SIGKILL)

    @staticmethod
    def holds(pid, port):
        """Whether a process has the connection from this port."""
        with contextlib.suppress(OSError):
            lines = pathlib.Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]
            sockets = {f"socket:[{words[9]}]" for words in map(str.split, lines)
                       if int(words[1].split(":")[1], 16) == port}
            for descriptor in pathlib.Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if os.readlink(descriptor) in sockets:
                        return True
        return False

    def crash_the_database(self):
        self.server.stop(signal.SIGQUIT)
        time.sleep(self.chance.uniform(0, 2 * LEASE))
        self.server.start()

    def restart_the_database(self):
        self.server.stop()
        self.server.start()

    def cut_connections(self):
        for _ in range(5):
            self.server.value("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                              "backend_type = 'client backend' AND pid <> pg_backend_pid() AND "
                              "random() < 0.7")
            time.sleep(self.chance.uniform(0, 0.3))

    def stop_a_worker(self):
        stopped = self.chance.choice(self.workers)
        stopped.send(signal.SIGSTOP)
        time.sleep(self.chance.uniform(1.5, 3) * LEASE)
        stopped.send(signal.SIGCONT)

    def start_another_planner(self):
        self.plan(self.games_of_meeting)

    # ---- what is recorded ----

    def played(self):
        return int(self.server.value("SELECT count(*) FROM nimarena.game"))

    def exports(self, record):
        """All that it says of games, but for times."""
        texts = []
        for form in ("pgn", "jsonl", "csv", "grades", "starts"):
            run = self.arena_beside("export", record, "--format", form)
            lines = re.sub(r"\[%emt [0-9:.]+\]", "", run.out.decode()).splitlines()
            if form == "jsonl":
                lines = [json.dumps(dict(json.loads(line), times_us=[], fault_us=0)) for line in lines]
            if form == "grades":
                lines = [line.rpartition(",")[0] for line in lines]  # without think_ms
            texts.append([line for line in lines if not line.startswith("[Date ")])
        return texts

    def arena_beside(self, *words):
        """Runs nim-arena while workers run."""
        process = self.start(ARENA, *words)
        out, err = process.communicate(timeout=3 * PATIENCE)
        self.assertEqual(process.returncode, 0, err.decode())
        return Finished(0, out, err)

    def run_through(self, faults, games, delay):
        self.games_of_meeting = games // 120  # six meetings a cycle
        single = self.folder / "single.db"
        self.pace = Pace(self, self.folder / "pace")
        self.arena_beside("tournament", *players(self.pace), *CONTEST, "--games",
                          self.games_of_meeting, "--record", single)
        share = self.pace.moves // (len(faults) + 1)  # of the moves, for each fault and the end
        self.start_database()
        self.pace.moves, self.pace.delay = 0, delay
        self.pace.let(share)  # before the workers run, however long they take to start
        self.plan(self.games_of_meeting)
        self.wait_until(lambda: self.server.value(
            "SELECT to_regclass('nimarena.game') IS NOT NULL") == "t")
        self.start_workers()
        for number, fault in enumerate(faults):
            self.pace.let((number + 1) * share)
            begin = number * share + self.chance.randrange(share // 2)
            self.wait_until(lambda: self.pace.moves > begin)
            print(f"{self.played()}: {fault.__name__}", file=sys.stderr)
            fault()
        self.assertLess(self.played(), games)
        self.pace.let(math.inf)
        for supervised in self.supervised:
            supervised.join(3 * PATIENCE)
            self.assertFalse(supervised.is_alive(), supervised.ends)
        print(*(s.ends for s in self.supervised), sep="\n", file=sys.stderr)
        self.assertEqual(self.played(), games)
        self.assertEqual(self.server.value("SELECT count(*) = max(number) FROM nimarena.event"), "t")
        self.assertEqual(self.server.value(
            "SELECT count(*), count(DISTINCT (pair, leg)) FROM nimarena.event WHERE leg IS NOT NULL"),
            f"{games}|{games}")
        for shared, alone in zip(self.exports(self.server.url()), self.exports(single)):
            self.assertEqual(len(shared), len(alone))
            self.assertEqual([pair for pair in zip(shared, alone) if pair[0] != pair[1]][:3], [])


class Faults(FaultTest):
    """All of them."""

    def start_database(self):
        disk = self.temporary_folder()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=500m", "none", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", disk], check=True)
        self.server = Postgres(self, data=disk)
        with (self.server.data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 198.18.0.0/15 trust\n")
        self.server.query("postgres", "SELECT pg_reload_conf()")
        self.server.query("postgres", "CREATE DATABASE nimarena")

    def start_workers(self):
        ip = tool("ip", "iproute2")
        try:
            name, self.host = self.network()
        except unittest.SkipTest as reason:
            self.fail(str(reason))
        self.neighbour = [ip, "-n", name, "neighbour"]
        self.workers = [self.work() for _ in range(7)]
        self.workers.append(self.work(self.host, [ip, "netns", "exec", name]))

    def drop_packets(self):
        """They go to an address that is nobody's: none arrives, and nobody is told."""
        subprocess.run([*self.neighbour, "replace", self.host, "lladdr", "02:00:00:00:00:99", "nud",
                        "permanent", "dev", "peer"], check=True)
        time.sleep(self.chance.uniform(1.5, 3) * LEASE)
        subprocess.run([*self.neighbour, "delete", self.host, "dev", "peer"], check=True)

    def fill_the_disk(self):
        log = self.server.folder / "log"
        begin = log.stat().st_size
        filler = self.server.data / "filler"
        session = self.server.session()  # none can begin on a full disk
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))
        # A table that cannot grow is an error; if the log cannot, the server panics.
        session.communicate(self.chance.choice(["", "SELECT pg_switch_wal();"]) +
                            "CREATE TABLE grown AS SELECT repeat('x', 1000) "
                            "FROM generate_series(1, 9999);", timeout=PATIENCE)
        self.assertIn(FULL, log.read_text(errors="replace")[begin:])
        time.sleep(self.chance.uniform(0, LEASE))
        filler.unlink()
        self.server.start()

    def test_20000_games_are_recorded_once_through_all_faults(self):
        self.assertEqual(os.geteuid(), 0, "needs root, for a network namespace and a small disk")
        faults = [self.kill_a_worker, self.kill_who_plans, self.crash_the_database,
                  self.restart_the_database, self.cut_connections, self.drop_packets,
                  self.stop_a_worker, self.fill_the_disk, self.start_another_planner]
        faults += [self.kill_a_worker, self.kill_who_plans, self.cut_connections]
        self.chance.shuffle(faults)
        self.run_through(faults, games=20_160, delay=0.015)


class FewFaults(FaultTest):
    """Those that need no root, once each; in the same order for every change."""

    SEED = 1

    def start_database(self):
        self.server = self.postgres()

    def start_workers(self):
        self.workers = [self.work() for _ in range(4)]

    def test_1200_games_are_recorded_once_through_some_faults(self):
        faults = [self.kill_a_worker, self.kill_who_plans, self.crash_the_database,
                  self.cut_connections, self.stop_a_worker, self.start_another_planner]
        self.chance.shuffle(faults)
        self.run_through(faults, games=1_200, delay=0.02)
