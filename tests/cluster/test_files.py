"""The ready files of arena/doc/many-machines.md, checked by linters and used where that can be."""
from cluster import *

YAMLLINT = "{extends: default, rules: {document-start: disable, line-length: {max: 100}}}"


class Files(ClusterTest):
    def passes(self, *command, **options):
        run = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                             timeout=PATIENCE, **options)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def test_scripts_pass_shellcheck(self):
        scripts = [DOC / name for name in ("database.sh", "workers.sh", "worker.slurm")]
        self.passes(tool("shellcheck", "shellcheck"), *scripts)
        for script in scripts:
            self.passes("bash", "-n", script)

    def test_yaml_passes_yamllint(self):
        files = sorted(DOC.glob("*.yaml"))
        self.assertEqual([file.name for file in files], ["compose.yaml", "worker-job.yaml"])
        self.passes(tool("yamllint", "yamllint"), "-s", "-d", YAMLLINT, *files)

    def test_the_unit_passes_systemd(self):
        # The program that it starts and its page are where the package puts them.
        unit = (DOC / "nimarena-worker.service").read_text()
        unit = unit.replace("/usr/bin/nim-arena", ARENA).replace("man:nim-arena-work(1)",
                                                                 "man:bash(1)")
        file = self.folder / "nimarena-worker.service"
        file.write_text(unit)
        run = subprocess.run([tool("systemd-analyze", "systemd"), "verify", file],
                             capture_output=True, text=True, timeout=PATIENCE)
        complaints = [line for line in run.stderr.splitlines() if "nimarena" in line]
        self.assertEqual((run.returncode, complaints), (0, []), run.stderr)

    def test_parallel_starts_a_worker_on_each_machine(self):
        hosts = self.folder / "hosts"
        hosts.write_text("1/one.example.org\n1/two.example.org\n")
        ssh = self.folder / "ssh"
        ssh.write_text('#!/bin/sh\nhost=$1; shift 2\nexport host; exec sh -c "$*"\n')
        worker = self.folder / "nim-arena"
        worker.write_text('#!/bin/sh\necho "$host: nim-arena $@"\n')
        for script in (ssh, worker):
            script.chmod(0o755)
        environment = dict(self.environment, PARALLEL_SSH=str(ssh), HOME=str(self.folder),
                           PATH=f"{self.folder}:{os.environ['PATH']}")
        lines = sorted(self.passes("bash", DOC / "workers.sh", "postgresql://worker@db/nimarena",
                                   hosts, env=environment).splitlines())
        self.assertEqual(len(lines), 2, lines)
        for host, line in zip(("one", "two"), lines):
            self.assertIn(f"{host}.example.org: nim-arena work postgresql://worker@db/nimarena "
                          "--players players.toml", line)

    def test_the_database_script_makes_users_who_plan_and_work(self):
        server = Postgres(self, self.temporary_folder(), auth="scram-sha-256")
        server.start()
        environment = dict(self.environment, PGHOST=str(server.folder), PGPORT=str(server.port),
                           PGUSER="postgres")
        lines = self.passes(*server.as_user, "sh", DOC / "database.sh", "127.0.0.1",
                            "127.0.0.0/8", env=environment, cwd=server.folder).splitlines()
        self.assertEqual([line.split(":")[:4] for line in lines],
                         [["127.0.0.1", "5432", "nimarena", user] for user in ("planner", "worker")])
        self.assertIn("hostssl nimarena planner,worker 127.0.0.0/8 scram-sha-256",
                      (server.data / "pg_hba.conf").read_text())
        passwords = self.folder / "pgpass"
        passwords.write_text("\n".join(lines).replace(":5432:", f":{server.port}:"))
        passwords.chmod(0o600)
        self.environment["PGPASSFILE"] = str(passwords)
        words = ["--player", "cmd=builtin:perfect name=Ann", "--player",
                 "cmd=builtin:random name=Bob", "--games", 4, "--seed", 1, "--quiet"]
        refused = self.arena("tournament", *words, "--record", server.url(user="worker"))
        self.assertNotEqual(refused.status, 0)
        run = self.arena("tournament", *words, "--record", server.url(user="planner"))
        self.assertEqual(run.status, 0, run.report())
        run = self.arena("work", server.url(user="worker"))
        self.assertEqual(run.status, 0, run.report())
        self.assertNotIn(lines[0].split(":")[4], run.report() + run.out.decode())
