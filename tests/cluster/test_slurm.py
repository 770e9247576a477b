"""Workers as a Slurm array, on a cluster of one node that the test starts."""
import socket

from cluster import *

CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm(ClusterTest):
    def setUp(self):
        super().setUp()
        self.slurm = self.temporary_folder()
        self.environment.update(SLURM_CONF=str(self.slurm / "slurm.conf"))
        (self.slurm / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], folder=self.slurm, controller=free_port(),
            node=free_port(), user=pwd.getpwuid(os.geteuid()).pw_name))
        # Nothing of Slurm's uses control groups here, but it wants to know which there are.
        (self.slurm / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        for name in ("state", "spool"):
            (self.slurm / name).mkdir()
        (self.slurm / "key").write_bytes(os.urandom(1024))
        (self.slurm / "key").chmod(0o600)
        self.daemon("munged", "munge", "--force", "--foreground",
                    *(f"--{option}={self.slurm}/{file}" for option, file in (
                        ("key-file", "key"), ("socket", "munge.socket"), ("pid-file", "munge.pid"),
                        ("log-file", "munge.log"), ("seed-file", "munge.seed"))))
        self.wait_until((self.slurm / "munge.socket").exists)
        self.daemon("slurmctld", "slurm-wlm", "-D")
        self.daemon("slurmd", "slurm-wlm", "-D")
        self.wait_until(lambda: "idle" in self.command("sinfo", "-h", "-o", "%t", check=False))

    def daemon(self, name, package, *arguments):
        self.start(tool(name, package), *arguments, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)

    def command(self, name, *arguments, check=True):
        run = subprocess.run([tool(name, "slurm-wlm"), *map(str, arguments)], timeout=PATIENCE,
                             env=self.environment, capture_output=True, text=True,
                             cwd=self.slurm)
        if check:
            self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_an_array_plays_a_tournament(self):
        server = self.postgres()
        os.mkfifo(self.slurm / "gate")
        # No game ends before each process has claimed some.
        gated = shlex.join(["sh", str(ROOT / "tests" / "e2e" / "bots" / "gated.sh"), str(self.slurm)])
        (self.slurm / "players.toml").write_text(
            "".join(f"[[player]]\nname = '{name}'\ncmd = '{gated}'\n" for name in ("Ann", "Bob")))
        planner = self.start(ARENA, "tournament", *player(gated, name="Ann"),
                             *player(gated, name="Bob"), "--games", 2000, "--position", "nim:3,4,5",
                             "--movetime", 10 ** 6, "--seed", 7, "--concurrency", 1, "--quiet",
                             "--record", server.url())
        self.wait_until(lambda: server.value(
            "SELECT to_regclass('nimarena.event') IS NOT NULL", "nimarena") == "t")
        self.wait_until(lambda: server.value("SELECT count(*) FROM nimarena.entrant") == "2")
        self.environment["PATH"] = f"{BIN}:{os.environ['PATH']}"
        job = self.command("sbatch", "--parsable", "--array=1-4", "--cpus-per-task=1",
                           DOC / "worker.slurm", server.url()).strip()
        self.wait_until(lambda: server.value(
            "SELECT count(DISTINCT worker) FROM nimarena.task WHERE worker > 0") == "5")
        self.addCleanup(os.close, os.open(self.slurm / "gate", os.O_RDWR))
        self.wait_until(lambda: not self.command("squeue", "-h", "-j", job, check=False).strip())
        self.end_of(planner, 0)
        logs = "".join(log.read_text() for log in sorted(self.slurm.glob(f"nimarena-{job}_*.log")))
        self.assertEqual(server.value("SELECT count(*) FROM nimarena.game"), "2000", logs)
        # All have played, and none ended in failure.
        tasks = self.command("scontrol", "show", "job", job)
        self.assertEqual(tasks.count("JobState=COMPLETED"), 4, tasks + logs)
        self.assertEqual(server.value("SELECT count(*) FROM nimarena.worker WHERE games > 0"), "5",
                         logs)
