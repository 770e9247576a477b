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
        server = Postgres(self, auth="scram-sha-256")
        environment = dict(self.environment, PGHOST=str(server.folder), PGPORT=str(server.port),
                           PGUSER="postgres")
        lines = self.passes("sh", DOC / "database.sh", "127.0.0.1",
                            "127.0.0.0/8", "nimarena", "worker", "rogue", env=environment,
                            cwd=server.folder, **server.user).splitlines()
        users = ("planner", "worker", "rogue")
        self.assertEqual([line.split(":")[:4] for line in lines],
                         [["127.0.0.1", "5432", "nimarena", user] for user in users])
        rules = (server.data / "pg_hba.conf").read_text()
        for user in users:
            self.assertIn(f"hostssl nimarena {user} 127.0.0.0/8 scram-sha-256", rules)
        passwords = self.folder / "pgpass"
        passwords.write_text("\n".join(lines).replace(":5432:", f":{server.port}:"))
        passwords.chmod(0o600)
        self.environment["PGPASSFILE"] = str(passwords)
        words = ["--player", "cmd=builtin:perfect name=Ann", "--player",
                 "cmd=builtin:random name=Bob", "--games", 4, "--seed", 1, "--quiet"]
        refused = self.arena("tournament", *words, "--record", server.url(user="worker"))
        self.assertNotEqual(refused.status, 0)
        self.arena("tournament", *words, "--record", server.url(user="planner"), status=0)
        run = self.arena("work", server.url(user="worker"), status=0)
        self.assertNotIn(lines[0].split(":")[4], run.report() + run.out.decode())
        self.refuses_what_would_harm_others(server)
        self.lets_the_planner_end_open_transactions(server)

    def session(self, server, user, *statements):
        """A session of psql that has been given these."""
        run = subprocess.Popen([*server.psql("nimarena"), "-U", user, "-v", "ON_ERROR_STOP=1"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        print("; ".join(statements), ";", file=run.stdin, flush=True)
        return run

    def refuses_what_would_harm_others(self, server):
        for statement in ("SELECT count(pg_advisory_lock(n)) FROM generate_series(1, 1000000) n",
                          "SELECT lo_create(0)", "SELECT lo_from_bytea(0, 'x')",
                          "SELECT pg_terminate_backend(1)", "SELECT pg_cancel_backend(1)",
                          "CREATE TEMP TABLE t (a int)", "SET temp_file_limit = -1",
                          "BEGIN; LOCK TABLE nimarena.game IN ROW EXCLUSIVE MODE"):
            told, _ = self.session(server, "rogue", statement).communicate(timeout=PATIENCE)
            self.assertIn("permission denied", told, statement)

    def lets_the_planner_end_open_transactions(self, server):
        rogue = self.session(server, "rogue", "BEGIN", "SELECT count(*) FROM nimarena.task")
        self.assertEqual(rogue.stdout.readline(), "0\n")
        planner = self.session(server, "planner", "SET search_path = nimarena", "SELECT evict('0')")
        self.assertEqual(planner.communicate(timeout=PATIENCE), ("\n", None))
        told, _ = rogue.communicate("SELECT 1;\n", timeout=PATIENCE)
        self.assertIn("terminating connection", told)
