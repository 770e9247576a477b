"""Many processes play into one record: tournament and work with a PostgreSQL database."""
import urllib.request

from postgres import Server, programs
from serving import *

FIELD = [word for name in ("Ann", "Bob", "Cid", "Dan")
         for word in player(RANDOM, name=name)]
QUICK = ["--position", "nim:1,2,3", "--seed", "1"]
MANY = ["--games", 60000]
SLOW = zoo("waits", "10")  # so that MANY of its games are more than are played before the test ends them


class WorkTest(ArenaTest):
    server = None  # of all classes: to make one takes a second

    @classmethod
    def setUpClass(cls):
        if not WorkTest.server:
            WorkTest.server = Server()
            unittest.addModuleCleanup(WorkTest.server.remove)
        cls.database = cls.server.create()
        cls.url = cls.server.url(cls.database)

    def setUp(self):
        super().setUp()
        self.query("DROP SCHEMA IF EXISTS nimarena CASCADE")  # costs a tenth of a new database

    def query(self, statement):
        return type(self).server.query(self.database, "SET search_path = nimarena; " + statement)

    def number(self, statement):
        return int(self.query(statement)[0][0])

    def games(self):
        return self.number("SELECT count(*) FROM game")

    def tournament(self, *arguments, **options):
        return self.start(ARENA, "tournament", *arguments, "--record", self.url, "--analysis", 0,
                          **options)

    def work(self, *arguments, **options):
        # One machine, whose speed may be measured as much less while others use it, is not refused.
        return self.start(ARENA, "work", self.url, "--cores", 1, "--scale-time", *arguments, **options)

    def wait_for_workers(self, count):
        self.wait_until(lambda: self.has_table("worker") and
                        self.number("SELECT count(*) FROM worker") == count)

    def has_table(self, name):
        return self.query(f"SELECT to_regclass('{name}') IS NOT NULL")[0][0] == "t"

    def end(self, process, status):
        process.terminate()
        return self.finish(process, status)

    def finish(self, process, status=0):
        run = self.end_of(process, status)
        return run.out.decode() + run.report()

    def status(self):
        run = self.arena("status", self.url, "--json", status=0)
        return json.loads(run.out)

    def assert_whole(self, games):
        """Each game once, and each planned pair with both its games."""
        self.assertEqual(self.query("SELECT count(*), count(DISTINCT (pair, leg)) FROM game"),
                         [[str(games), str(games)]])
        self.assertEqual(self.number("SELECT count(*) FROM pair"), games // 2)
        self.assertEqual(self.number("SELECT count(*) FROM task"), 0)
        self.assertEqual(self.number("SELECT max(number) FROM event"),
                         self.number("SELECT count(*) FROM event"))


class Work(WorkTest):
    def test_a_tournament_and_a_worker_play_every_game_once(self):
        run = self.tournament(*FIELD[:6], *self.gated("Dan"), "--format", "swiss", "--games", 60, *QUICK,
                              "--concurrency", 1)
        worker = self.work()
        self.wait_for_workers(2)
        self.open_gate()
        report = self.finish(run)
        self.finish(worker)
        games = self.games()
        self.assertGreaterEqual(games, 180)
        self.assert_whole(games)
        by_worker = self.query("SELECT games FROM worker ORDER BY id")
        self.assertEqual(sum(int(row[0]) for row in by_worker), games)
        self.assertEqual(len(by_worker), 2, by_worker)
        # The table counts the games of all workers.
        rows = re.findall(r"^ *\d+ (Ann|Bob|Cid|Dan) +(\d+)", report, re.M)
        self.assertEqual(sum(int(row[1]) for row in rows), 2 * games, report)

    def test_waits_for_a_tournament_and_ends_when_idle(self):
        self.assertIn("waiting for a tournament", self.finish(self.work("--idle", "1s")))

    def test_waits_for_a_record_that_it_may_not_make(self):
        self.query("DO $$ BEGIN CREATE ROLE nimarena_worker; EXCEPTION WHEN duplicate_object THEN NULL; END $$; "
                   "CREATE ROLE hand LOGIN IN ROLE nimarena_worker")
        own = ("work", self.server.url(self.database, "hand"), "--cores", 1, "--scale-time")
        worker = self.start(ARENA, *own)
        Lines(worker.stdout).until("waiting for a tournament in ")
        self.assertIn("waiting for a tournament in ", self.finish(self.start(ARENA, *own, "--idle", "1ms")))
        self.finish(self.tournament(*GOOD, *FIELD[:2], "--games", 2, *QUICK))
        self.assertEqual(worker.wait(PATIENCE), 0)

    def test_begins_once_the_database_is_there(self):
        self.finish(self.tournament(*GOOD, *FIELD[:2], "--games", 100, *QUICK, "--max-games", 2))
        self.assertTrue(self.status()["over"])
        self.query("DELETE FROM configuration WHERE name = 'max-games'")
        self.server.stop()
        try:
            late = self.work("--database-away", "1ms")
            worker = self.work()
            lines = Lines(worker.stdout)
            lines.until("waiting for the database: '.*' does not answer: ")
            self.assertIn("does not answer", self.finish(late, 7))
            # Told to end, it does so, too.
            other = self.work()
            Lines(other.stdout).until("waiting for the database")
            other.terminate()
            self.assertEqual(other.wait(PATIENCE), 0)
        finally:
            self.server.start()
        lines.until("98 games recorded")
        self.assertEqual(worker.wait(PATIENCE), 0)
        self.assert_whole(100)

    def test_finds_players_where_they_are_on_this_machine(self):
        bot = self.folder / "elsewhere" / "bot.py"
        bot.parent.mkdir()
        bot.write_text((ZOO / "waits.py").read_text().replace(
            "\nfrom bot", f"\nimport sys\nsys.path.insert(0, {str(ZOO)!r})\nfrom bot"))
        here = self.folder / "bot.py"
        here.write_bytes(bot.read_bytes())
        run = self.tournament(*GOOD, *player(f"{sys.executable} {here} 10", name="Bot"), *MANY, *QUICK,
                              "--concurrency", 1)
        self.wait_until(lambda: self.has_table("game") and self.games() > 0)
        places = self.folder / "here.toml"
        places.write_text(f'[[player]]\nname = "Bot"\ncmd = "{sys.executable} {bot} 10"\n')
        worker = self.work("--players", places)
        self.wait_until(lambda: self.number(
            "SELECT count(*) FROM build JOIN game ON build.id IN (p1_build, p2_build) "
            "WHERE command LIKE '%elsewhere%'") > 0)
        self.end(worker, 0)
        self.end(run, 143)

    def test_players_never_inherit_the_password(self):
        self.environment["PGPASSWORD"] = "secret"
        spy = self.folder / "spy.sh"
        spy.write_text(f'#!/bin/sh\nenv >"$0.env"\nexec {RANDOM}\n')
        spy.chmod(0o755)
        self.finish(self.tournament(*GOOD, *player(str(spy), name="Spy"), "--games", 2, *QUICK))
        self.assertNotIn("secret", (self.folder / "spy.sh.env").read_text())

    def test_hides_the_file_of_the_password_from_the_sandbox(self):
        bot = self.folder / "bot"
        bot.mkdir()
        (bot / "bot.py").write_bytes((ROOT / "bots" / "python" / "nim_bot.py").read_bytes())
        (bot / "pgpass").touch(0o600)
        self.environment["PGPASSFILE"] = str(bot / "pgpass")
        told = self.finish(self.tournament(*GOOD, *player(f"/usr/bin/python3 {bot}/bot.py", name="Bot",
                                                            dir=str(bot)),
                                           "--games", 2, *QUICK, "--sandbox", "bwrap"), 3)
        self.assertIn(f"it sees {bot}, and there {bot}/pgpass: keep them apart", told)

    def test_says_what_does_not_fit_a_tournament(self):
        words = [*GOOD, *FIELD[:2], *QUICK]
        self.finish(self.tournament(*words, "--games", 2))
        told = self.finish(self.tournament(*words, "--games", 4), 7)
        self.assertIn("or another database (--record) to begin anew", told)
        places = self.folder / "here.toml"
        for line, why in (('cmd = "./bot"\nmovetime = 5', "read the key 'movetime', expected name, cmd, dir, ca, env or "),
                          ('dir = "ann"', "Ann has dir and no cmd, expected cmd")):
            places.write_text(f'[[player]]\nname = "Ann"\n{line}\n')
            self.assertIn(why, self.finish(self.work("--players", places), 2))
        # A password that untrusted players could read.
        self.environment["PGPASSWORD"] = "secret"
        for option in (["--untrusted"], ["--sandbox", "bwrap"]):
            told = self.finish(self.tournament(*words, "--games", 2, *option), 2)
            self.assertIn("found the variable PGPASSWORD, expected none with --untrusted or --sandbox", told)
        told = self.finish(self.work("--untrusted"), 2)
        self.assertIn("found the variable PGPASSWORD", told)

    def test_gives_the_players_of_a_slow_machine_more_time(self):
        bot = self.scripted("Bot", """
def go(words):
    with open(ARGUMENT + "/told", "a") as file:
        file.write(words[words.index("movetime") + 1] + " ")
    play(words)


run(go=go)
""", self.folder)
        self.finish(self.tournament(*GOOD, *bot, "--games", 20, *QUICK, "--max-games", 4))

        def times():
            told = (self.folder / "told").read_text()
            (self.folder / "told").unlink()
            return set(map(int, told.split()))

        self.assertEqual(times(), {600000})
        self.query("UPDATE worker SET speed = 4 * speed")
        self.query("DELETE FROM configuration WHERE name = 'max-games'")
        self.finish(self.work())
        scaled, = times()
        (fast,), (slow,) = self.query("SELECT speed FROM worker ORDER BY id")
        self.assertAlmostEqual(scaled, 600000 * float(fast) / float(slow), delta=1)

    # ---- processes that are killed or stopped: others go on ----

    def test_a_worker_plans_and_plays_on_when_the_tournament_is_killed(self):
        words = [*FIELD[:6], *self.gated("Dan"), "--format", "swiss", "--rounds", 3, "--games", 40, *QUICK]
        run = self.tournament(*words, "--lease", "1s")
        self.wait_until(lambda: self.has_table("task") and
                        self.number("SELECT count(*) FROM task WHERE worker = 1") > 0)
        worker = self.work("--lease", "1s")
        self.wait_for_workers(2)
        run.kill()
        run.wait()
        self.open_gate()
        self.assertRegex(self.finish(worker), r"[1-9]\d* games recorded")
        self.assert_whole(3 * 2 * 40)
        told = self.finish(self.tournament(*words))
        self.assertRegex(told, r"resuming .*: 240 (of 240 )?games are kept")
        self.assertTrue(self.status()["over"])

    def test_a_stopped_worker_ends_its_games_and_gives_the_others_back(self):
        run = self.tournament(*GOOD, *self.gated(), "--games", 200, *QUICK, "--concurrency", 1)
        self.wait_for_workers(1)
        worker = self.work()
        self.wait_until(lambda: len(list(self.folder.glob("asked-*"))) == 2)
        worker.terminate()
        tasks = "SELECT count(*) FROM task WHERE worker = (SELECT max(id) FROM worker)"
        self.wait_until(lambda: self.number(tasks) == 1)
        self.open_gate()
        self.assertIn(" 1 game recorded", self.finish(worker))
        self.assertEqual(self.number(tasks), 0)
        self.finish(run)
        self.assert_whole(200)

    def test_a_worker_leaves_to_others_what_it_drops(self):
        run = self.tournament(*GOOD, *self.gated(), "--games", 200, *QUICK, "--concurrency", 1)
        self.wait_for_workers(1)
        worker = self.work()
        self.wait_until(lambda: len(list(self.folder.glob("asked-*"))) == 2)
        lines = Lines(worker.stdout)
        worker.terminate()
        lines.until("stopping: ")
        worker.send_signal(signal.SIGINT)
        lines.until("^interrupted: others play what is missing$")
        self.assertEqual(worker.wait(PATIENCE), 130)
        self.open_gate()
        self.finish(run)
        self.assert_whole(200)


class Commands(WorkTest, ServeTest):
    """Those that take a record, with that of a database."""

    def out(self, *words):
        run = self.arena(*words, status=0)
        return run.out.decode()

    def test_a_match_is_recorded_and_told(self):
        self.out("match", "builtin:perfect", RANDOM, "--games", 6, "--record", self.url, *QUICK)
        self.assertEqual(self.games(), 6)
        self.assertRegex(self.out("standings", self.url), r"(?m)^1 \S+ +6 ")
        self.assertEqual(len(self.out("export", self.url, "--format", "jsonl").splitlines()), 6)
        self.assertIn("nim:1,2,3", self.out("show", self.url, 1))
        self.assertEqual(self.out("games", self.url).count("no-moves"), 6)
        self.assertIn("answers as recorded", self.out("replay", self.url, 1))
        self.out("report", self.url, "-o", self.folder / "pages")
        self.assertTrue((self.folder / "pages" / "index.html").exists())

    def test_a_server_records_the_games_of_bots_that_dial_in(self):
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        self.record = self.url
        address = self.serve("--format", "round-robin", "--games", 4)
        for secret in secrets:
            self.bot(address).join(secret).play()
        self.assertEqual(self.server.wait(PATIENCE), 0)
        self.assertEqual(self.games(), 4)

    def test_its_pages_are_served(self):
        self.out("tournament", *FIELD, "--games", 2, *QUICK, "--record", self.url)
        web = self.start(ARENA, "web", "--record", self.url, "--listen", "127.0.0.1:0")
        address = Lines(web.stdout).until(r"listening on (http://\S+/)")[1]
        with urllib.request.urlopen(address + "record/", timeout=PATIENCE) as answer:
            path = re.search(r'<li><a href="/(record/[^"]+)"', answer.read().decode())[1]
        with urllib.request.urlopen(address + path, timeout=PATIENCE) as answer:
            self.assertIn("Ann", answer.read().decode())

    def test_the_live_page_is_told_of_the_workers(self):
        run = self.tournament(*GOOD, *player(SLOW, name="Bot"), *MANY, *QUICK, "--web",
                              "127.0.0.1:0", "--concurrency", 1)
        address = Lines(run.stdout).until(r"watch on (http://[^/\s]+/)")[1]
        worker = self.work()
        with urllib.request.urlopen(address + "api/live", timeout=PATIENCE) as feed:
            for line in feed:
                if b'"worker":2' in line:
                    break
            else:
                self.fail("the feed has ended")
        self.assertIn(b'"workers":[{"worker":1,', line)
        self.end(worker, 0)
        run.kill()

    def test_is_backed_up_and_restored_while_games_go_on(self):
        run = self.tournament(*GOOD, *player(SLOW, name="Bot"), *MANY, *QUICK, "--concurrency", 1)
        self.wait_until(lambda: self.has_table("game") and self.games() > 0)
        dump = self.server.folder / f"{self.database}.dump"
        self.tool("pg_dump", "-Fc", "-d", self.url, "-f", dump)
        self.end(run, 143)
        other = self.server.create()
        self.tool("pg_restore", "-d", self.server.url(other), dump)
        self.database, self.url = other, self.server.url(other)
        games = self.games()
        self.assertGreater(games, 0)
        self.assertEqual(len(self.out("export", self.url, "--format", "jsonl").splitlines()), games)
        # Others play what is missing; the leases of the former ones end.
        self.query("UPDATE worker SET until = clock_timestamp()")
        run = self.tournament(*GOOD, *player(SLOW, name="Bot"), *MANY, *QUICK)
        self.wait_until(lambda: self.games() > games)
        self.end(run, 143)

    def tool(self, name, *words):
        run = subprocess.run([programs() / name, *words], capture_output=True, text=True,
                             timeout=PATIENCE)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_malformed_game_takes_nothing_from_the_others(self):
        words = [*FIELD, *MANY, *QUICK]
        run = self.tournament(*words)
        self.wait_until(lambda: self.has_table("game") and self.games() > 20)
        self.end(run, 143)
        key, pair = self.query("SELECT concat_ws('.', stage, round, pairing, position_number, attempt, leg), g.pair FROM "
                               "pair p JOIN game g ON g.pair = p.id WHERE g.leg = 1 ORDER BY g.pair LIMIT 1")[0]
        self.query(f"UPDATE game SET moves = moves || ' 1=0' WHERE leg = 1 AND pair = {pair}")
        known = self.games()
        run = self.tournament(*words)
        self.wait_until(lambda: self.games() > known + 20)
        self.end(run, 143)
        named = f"  game {key} of worker 1 has times that do not fit its moves\n"
        for name, *rest in (("export", "--format", "jsonl"), ("report", "-o", self.folder / "pages"),
                            ("copy", self.folder / "copy.db"), ("standings",)):
            run = self.arena(name, self.url, *rest)
            self.assertEqual((run.status, run.report().count(named)), (0, 1), run.report())
            self.assertIn("which count for no player", run.report())
        self.assertIn("are played", run.out.decode())

    # ---- status ----

    def test_shows_machines_and_progress(self):
        self.finish(self.tournament(*FIELD, "--games", 4, *QUICK))
        told = self.status()
        self.assertEqual((told["format"], told["players"], told["games"], told["total"]),
                         ("round-robin", 4, 24, 24))
        self.assertEqual((told["over"], told["waiting"], told["claimed"]), (True, 0, 0))
        self.assertEqual([worker["games"] for worker in told["workers"]], [24])
        self.assertGreater(told["workers"][0]["speed"], 0)
        self.assertFalse(told["workers"][0]["live"])
        # The rate is that of the last minute by the server's clock.
        self.query("UPDATE worker SET games = 7000, earlier_games = 1000, "
                   "since = clock_timestamp() - interval '10 hours', "
                   "earlier = clock_timestamp() - interval '60 s', "
                   "seen = clock_timestamp() - interval '20 s', "
                   "until = clock_timestamp() + interval '1 hour', is_over = false")
        worker, = self.status()["workers"]
        self.assertTrue(50 <= worker["rate"] <= 100, worker)
        self.assertGreaterEqual(worker["seen_s_ago"], 20)

    def test_a_contest_that_had_enough_games_is_over(self):
        test = ("--sprt", "0,50,0.05,0.05", "--max-games", 1000)
        self.finish(self.tournament(*player("builtin:perfect"), *player("builtin:random"), "--games",
                                    1000, *test, *QUICK), 6)
        told = self.status()
        self.assertTrue(told["over"])
        self.assertGreater(told["waiting"], 0)
        self.assertIn(" are not needed, ", self.arena("status", self.url).out.decode())

    def test_says_that_nothing_has_begun(self):
        self.arena("status", self.url, status=1)
        nowhere = self.arena("status", self.server.url("nowhere"), status=1)
        self.assertIn('database "nowhere" does not exist', nowhere.report())
        away = self.arena("status", "postgresql://postgres@localhost:1/spring", status=7)
        self.assertIn("does not answer", away.report())
        self.assertNotIn("\\t", away.report())
        self.assertEqual(self.arena("status", "spring.db").status, 2)
