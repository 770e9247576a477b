"""A PostgreSQL server of a test's own, and a Slurm cluster of one node. A tool that is missing
fails the test: `.ci/install cluster` installs them all."""
import pathlib
import pwd
import shutil
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

from arena import *

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


class Postgres:
    """A server with its files in `folder`, and its data there or in a folder of their own."""

    SETTINGS = {
        "fsync": "off",  # it crashes, the machine does not
        "shared_buffers": "32MB", "max_connections": "100", "listen_addresses": "*",
        "log_min_messages": "warning", "max_wal_size": "256MB", "min_wal_size": "32MB",
        "wal_recycle": "off",
    }

    def __init__(self, test, folder, data=None, auth="trust"):
        self.folder, self.port = folder, free_port()
        self.data = data or folder / "data"
        # PostgreSQL refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self.as_user = (["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
                        if os.geteuid() == 0 else [])
        folder.chmod(0o755)
        if self.as_user:
            for place in {folder, data or folder}:
                shutil.chown(place, "postgres", "postgres")
        self.run("initdb", "-D", self.data, "--auth-local=trust", f"--auth-host={auth}",
                 "--no-sync", "-E", "UTF8", "--locale=C.UTF-8", "-U", "postgres")
        with (self.data / "postgresql.conf").open("a") as settings:
            for name, value in self.SETTINGS.items():
                settings.write(f"{name} = '{value}'\n")
            settings.write(f"port = {self.port}\nunix_socket_directories = '{folder}'\n")
        test.addCleanup(self.stop, "immediate")

    def run(self, name, *arguments, check=True):
        run = subprocess.run([*self.as_user, tool(name, "postgresql"), *map(str, arguments)],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=PATIENCE,
                             cwd=self.folder)
        if check and run.returncode != 0:
            raise AssertionError(f"{name}: {run.stdout}")
        return run.returncode

    def start(self):
        """Until it answers; it may be running, or be about to end after a panic."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.run("pg_ctl", "status", "-D", self.data, check=False) != 0:
                self.run("pg_ctl", "start", "-w", "-D", self.data, "-l", self.folder / "log",
                         check=False)
            with contextlib.suppress(AssertionError):
                self.query("SELECT 1", database="postgres")
                return
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text()[-2000:])

    def stop(self, mode="fast"):
        """`immediate` is a crash: the server recovers when it starts."""
        self.run("pg_ctl", "stop", "-w", "-m", mode, "-D", self.data, check=False)

    def url(self, database="nimarena", user="postgres", host="127.0.0.1"):
        return f"postgresql://{user}@{host}:{self.port}/{database}"

    def psql(self, database):
        return [tool("psql", "postgresql-client"), "-qXAt", "-h", str(self.folder), "-p",
                str(self.port), "-U", "postgres", "-d", database]

    def session(self):
        """A process of psql that is connected."""
        session = subprocess.Popen(self.psql("nimarena"), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        print("SELECT 1;", file=session.stdin, flush=True)
        session.stdout.readline()
        return session

    def query(self, statement, database="nimarena"):
        """The rows as lines, columns separated by '|'."""
        run = subprocess.run([*self.psql(database), "-v", "ON_ERROR_STOP=1", "-c", statement],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=PATIENCE)
        if run.returncode != 0:
            raise AssertionError(run.stderr)
        return run.stdout.strip()


class ClusterTest(ArenaTest):
    def temporary_folder(self):
        """One that other users may enter."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        return folder

    def postgres(self):
        """A running server with an empty database `nimarena`."""
        server = Postgres(self, self.temporary_folder())
        server.start()
        server.query("CREATE DATABASE nimarena", database="postgres")
        return server
