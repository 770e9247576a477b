"""A PostgreSQL server of the tests, in a temporary folder, reached by a UNIX socket."""
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

PATIENCE = 300  # seconds


def programs():
    """The folder of Debian's newest version."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise RuntimeError("no PostgreSQL: install Debian's package postgresql")
    return found[-1].parent


class Server:
    def __init__(self, sync=False, data=None, auth="trust", **settings):
        """`sync`: its commits wait for the disk. `data`: an empty folder for its data. `auth`: over TCP."""
        self.settings = {"fsync": "on" if sync else "off", "listen_addresses": "", "port": 5432} | settings
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nimarena-postgres-"))
        self.folder.chmod(0o755)  # others may reach its socket
        self.data = data or self.folder / "data"
        self.databases, self.sessions = 0, {}
        self.process = None
        # It does not run as root.
        self.user = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            for place in {self.folder, data or self.folder}:
                os.chown(place, entry.pw_uid, entry.pw_gid)
            self.user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        self.log = (self.folder / "log").open("wb")
        try:
            subprocess.run([programs() / "initdb", "-D", self.data, "-U", "postgres", "--auth-local=trust",
                            f"--auth-host={auth}", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
                           check=True, cwd="/", stdout=self.log, stderr=self.log, timeout=PATIENCE, **self.user)
            self.start()
        except BaseException:
            self.remove()
            raise

    def start(self):
        settings = [f"--{name}={value}" for name, value in self.settings.items()]
        self.process = subprocess.Popen(
            [programs() / "postgres", "-D", self.data, "-k", self.folder, *settings],
            cwd="/", stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, **self.user)
        deadline = time.monotonic() + PATIENCE
        while not self.is_ready():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.02)

    def is_ready(self):
        """Whether the last line of its file says so."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) > 7 and lines[0] == str(self.process.pid) and lines[7].startswith("ready")

    def end_sessions(self):
        while self.sessions:
            self.sessions.popitem()[1].communicate(timeout=PATIENCE)

    def stop(self, how=signal.SIGINT):
        """SIGQUIT: as if it crashed. SIGINT: it ends its connections first."""
        self.end_sessions()
        self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def remove(self):
        if self.process and self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def psql(self, database):
        return [programs() / "psql", "-h", self.folder, "-p", str(self.settings["port"]), "-U", "postgres",
                "-d", database, "-qXAt"]

    def query(self, database, statement):
        """The rows of the answer, as lists of texts. To begin a session costs more than most answers."""
        if database not in self.sessions:
            self.sessions[database] = subprocess.Popen(
                [*self.psql(database), "-F", "\t", "-v", "ON_ERROR_STOP=1"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**os.environ, "PGOPTIONS": f"-c statement_timeout={PATIENCE}s -c client_min_messages=error"})
        session = self.sessions[database]
        print(statement, "\\echo -- end", sep=";\n", file=session.stdin, flush=True)
        lines = []
        for line in session.stdout:
            if line == "-- end\n":
                return [row.split("\t") for row in lines]
            lines.append(line.rstrip("\n"))
        self.sessions.pop(database).communicate(timeout=PATIENCE)
        raise RuntimeError(lines)

    def create(self):
        """A new database: its name."""
        self.databases += 1
        name = f"test_{self.databases}"
        self.query("postgres", f"CREATE DATABASE {name} STRATEGY file_copy")
        return name

    def url(self, database, user="postgres"):
        return f"postgresql:///{database}?host={self.folder}&user={user}"
