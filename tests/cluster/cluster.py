"""A PostgreSQL server of a test's own, and a Slurm cluster of one node. A tool that is missing
fails the test: `.ci/install cluster` installs them all."""
import pathlib
import pwd
import shutil
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

from arena import *
from postgres import Server

DOC = ROOT / "arena" / "doc" / "many-machines"


def tool(name, package):
    """The path of a program."""
    places = [path for path in pathlib.Path("/usr/lib/postgresql").glob("*/bin")]
    found = shutil.which(name, path=os.pathsep.join(
        [*sorted(map(str, places), reverse=True), os.environ["PATH"], "/usr/sbin"]))
    if found is None:
        raise AssertionError(f"{name} is missing: .ci/install cluster (Debian's {package})")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Postgres(Server):
    """It listens on a port of its own, and can be started again after a crash."""

    def __init__(self, test, **options):
        self.port = free_port()
        super().__init__(port=self.port, **{
            "listen_addresses": "*", "shared_buffers": "32MB", "max_connections": 100,
            "log_min_messages": "warning", "max_wal_size": "256MB", "min_wal_size": "32MB",
            "wal_recycle": "off"}, **options)
        test.addCleanup(self.remove)

    def start(self):
        """Until it answers; it may be running, or be about to end after a panic."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.end_sessions()  # of the server before
            with contextlib.suppress(RuntimeError, OSError):
                if self.process is None or self.process.poll() is not None:
                    super().start()
                self.value("SELECT 1", "postgres")
                return
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text()[-2000:])

    def url(self, database="nimarena", user="postgres", host="127.0.0.1"):
        return f"postgresql://{user}@{host}:{self.port}/{database}"

    def session(self):
        """A process of psql that is connected."""
        session = subprocess.Popen(self.psql("nimarena"), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        print("SELECT 1;", file=session.stdin, flush=True)
        session.stdout.readline()
        return session

    def value(self, statement, database="nimarena"):
        """The rows as lines, columns separated by '|'."""
        return "\n".join("|".join(row) for row in self.query(database, statement))


class ClusterTest(ArenaTest):
    def temporary_folder(self):
        """One that other users may enter."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        return folder

    def postgres(self):
        """A running server with an empty database `nimarena`."""
        server = Postgres(self)
        server.query("postgres", "CREATE DATABASE nimarena")
        return server
