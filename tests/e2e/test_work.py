"""Many processes play into one record: tournament and work with a PostgreSQL database."""
import re

from arena import *
from postgres import Server

FIELD = [word for name in ("Ann", "Bob", "Cid", "Dan")
         for word in player(RANDOM, name=name)]
QUICK = ["--movetime", "5000", "--position", "nim:1,2,3", "--seed", "1"]
MANY = ["--games", 60000]  # more than are played before the test ends them


class WorkTest(ArenaTest):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.remove)

    def setUp(self):
        super().setUp()
        self.database = self.server.create()
        self.url = self.server.url(self.database)

    def query(self, statement):
        return self.server.query(self.database, "SET search_path = nimarena; " + statement)

    def number(self, statement):
        return int(self.query(statement)[0][0])

    def games(self):
        return self.number("SELECT count(*) FROM game")

    def tournament(self, *arguments, **options):
        return self.start(ARENA, "tournament", *arguments, "--record", self.url, "--analysis", 0,
                          **options)

    def work(self, *arguments, **options):
        return self.start(ARENA, "work", self.url, "--cores", 1, *arguments, **options)

    def gated(self, name="Gate"):
        """A player that makes no move before open_gate()."""
        bot = pathlib.Path(__file__).parent / "bots" / "gated.py"
        command = shlex.join([sys.executable, "-B", str(bot), str(self.folder)])
        return player(command, name=name, movetime=10 ** 6)

    def open_gate(self):
        (self.folder / "gate").touch()

    def wait_for_workers(self, count):
        self.wait_until(lambda: self.has_table("worker") and
                        self.number("SELECT count(*) FROM worker") == count)

    def has_table(self, name):
        return self.query(f"SELECT to_regclass('{name}') IS NOT NULL")[0][0] == "t"

    def stop(self, process, status):
        process.terminate()
        return self.finish(process, status)

    def finish(self, process, status=0):
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, status, (out + err).decode())
        return out.decode() + err.decode()

    def status(self):
        run = self.arena("status", self.url, "--json")
        self.assertEqual(run.status, 0, run.report())
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
        for form in ("round-robin", "swiss", "knockout"):
            with self.subTest(form=form):
                self.setUp()
                run = self.tournament(*FIELD[:6], *self.gated("Dan"), "--format", form, "--games",
                                      200, *QUICK, "--concurrency", 1)
                worker = self.work()
                self.wait_for_workers(2)
                self.open_gate()
                report = self.finish(run)
                self.finish(worker)
                games = self.games()
                self.assertGreaterEqual(games, 600)
                self.assert_whole(games)
                by_worker = self.query("SELECT games FROM worker ORDER BY id")
                self.assertEqual(sum(int(row[0]) for row in by_worker), games)
                self.assertEqual(len(by_worker), 2, by_worker)
                # The table counts the games of all workers.
                rows = re.findall(r"^ *\d+ (Ann|Bob|Cid|Dan) +(\d+)", report, re.M)
                self.assertEqual(sum(int(row[1]) for row in rows), 2 * games, report)

    def kill_who_plans(self, *words):
        """A worker goes on with what a killed tournament has left to be planned and played."""
        run = self.tournament(*words, *QUICK, "--lease", "1s")
        self.wait_until(lambda: self.has_table("task") and
                        self.number("SELECT count(*) FROM task WHERE worker = 1") > 0)
        worker = self.work("--lease", "1s")
        self.wait_for_workers(2)
        run.kill()
        run.wait()
        self.open_gate()
        self.assertRegex(self.finish(worker), r"[1-9]\d* games recorded")

    def plan_and_die(self, *contest):
        """Gives the number of games, and what the same tournament then says."""
        words = [*FIELD[:6], *self.gated("Dan"), *contest]
        self.kill_who_plans(*words)
        games = self.games()
        self.assert_whole(games)
        told = self.finish(self.tournament(*words, *QUICK))
        self.assertRegex(told, rf"resuming .*: {games} (of {games} )?games are kept")
        return games, told

    def test_another_process_plans_a_swiss_when_the_planner_is_killed(self):
        games, _ = self.plan_and_die("--format", "swiss", "--rounds", 3, "--games", 40)
        self.assertEqual(games, 3 * 2 * 40)
        self.assertTrue(self.status()["over"])

    def test_another_process_plans_a_knockout_when_the_planner_is_killed(self):
        games, told = self.plan_and_die("--format", "knockout", "--games", 4)
        self.assertGreaterEqual(games, 3 * 4)
        self.assertRegex(told, "winner: (Ann|Bob|Cid|Dan)")

    def test_another_process_plans_a_ladder_when_the_planner_is_killed(self):
        games, _ = self.plan_and_die("--format", "ladder", "--budget", "10m", "--max-games", 80)
        self.assertGreaterEqual(games, 80)

    def test_another_process_ends_a_test_when_the_planner_is_killed(self):
        words = [*GOOD, *self.gated("Bad"), "--sprt", "0,10,0.05,0.05", "--max-games", 100000]
        self.kill_who_plans(*words)
        games = self.games()
        self.assertIn("H1 accepted", self.finish(self.tournament(*words, *QUICK), 6))
        self.assertEqual(self.games(), games)

    def test_a_killed_worker_loses_no_game(self):
        slow = player(zoo("waits", "50"), name="Slow")
        run = self.tournament(*GOOD, *slow, "--games", 200, *QUICK, "--lease", "1s",
                              "--concurrency", 1)
        self.wait_until(lambda: self.has_table("game") and self.games() > 0)
        worker = self.work("--lease", "1s")
        self.wait_until(lambda: self.number("SELECT count(*) FROM worker") == 2)
        self.wait_until(lambda: self.number(
            "SELECT count(*) FROM task WHERE worker = (SELECT max(id) FROM worker)") > 0)
        worker.kill()
        worker.wait()
        self.finish(run)
        self.assert_whole(200)

    def test_a_stopped_worker_ends_its_games_and_gives_the_others_back(self):
        slow = player(zoo("waits", "50"), name="Slow")
        run = self.tournament(*GOOD, *slow, "--games", 200, *QUICK, "--concurrency", 1)
        self.wait_until(lambda: self.has_table("game") and self.games() > 0)
        worker = self.work()
        self.wait_until(lambda: self.number("SELECT count(*) FROM worker") == 2)
        self.wait_until(lambda: self.number(
            "SELECT count(*) FROM task WHERE worker = (SELECT max(id) FROM worker)") > 0)
        worker.terminate()
        self.finish(worker)
        self.assertEqual(self.number(
            "SELECT count(*) FROM task WHERE worker = (SELECT max(id) FROM worker)"), 0)
        self.finish(run)
        self.assert_whole(200)

    def test_waits_for_a_tournament_and_ends_when_idle(self):
        self.finish(self.tournament(*GOOD, *FIELD[:2], "--games", 2, *QUICK))
        other = self.server.url(self.server.create())
        told = self.finish(self.start(ARENA, "work", other, "--idle", "1s"))
        self.assertIn("waiting for a tournament", told)

    def test_finds_players_where_they_are_on_this_machine(self):
        bot = self.folder / "elsewhere" / "bot.py"
        bot.parent.mkdir()
        bot.write_bytes((ROOT / "bots" / "python" / "nim_bot.py").read_bytes())
        here = self.folder / "bot.py"
        here.write_bytes(bot.read_bytes())
        run = self.tournament(*GOOD, *player(f"{sys.executable} {here}", name="Bot"), *MANY, *QUICK,
                              "--concurrency", 1)
        self.wait_until(lambda: self.has_table("game") and self.games() > 0)
        places = self.folder / "here.toml"
        places.write_text(f'[[player]]\nname = "Bot"\ncmd = "{sys.executable} {bot}"\n')
        worker = self.work("--players", places)
        self.wait_until(lambda: self.number(
            "SELECT count(*) FROM build JOIN game ON build.id IN (p1_build, p2_build) "
            "WHERE command LIKE '%elsewhere%'") > 0)
        self.stop(worker, 0)
        self.stop(run, 143)

    def test_refuses_another_build_of_a_player(self):
        bot = self.folder / "bot.py"
        bot.write_bytes((ROOT / "bots" / "python" / "nim_bot.py").read_bytes())
        self.finish(self.tournament(*GOOD, *player(f"{sys.executable} {bot}", name="Bot"),
                                    "--games", 2, *QUICK))
        bot.write_bytes(bot.read_bytes() + b"# another one\n")
        told = self.finish(self.work(), 7)
        self.assertIn("Bot is another program here than in the record", told)

    def test_says_what_is_wrong_with_a_file_of_players(self):
        self.finish(self.tournament(*GOOD, *FIELD[:2], "--games", 2, *QUICK))
        places = self.folder / "here.toml"
        places.write_text('[[player]]\nname = "Ann"\ncmd = "./bot"\nmovetime = 5\n')
        told = self.finish(self.work("--players", places), 2)
        self.assertIn("read the key 'movetime', expected name, cmd, dir, ca, env or env.NAME", told)

    def test_refuses_a_file_and_a_password(self):
        run = self.arena("work", "record.db")
        self.assertEqual(run.status, 2)
        self.assertIn("one process alone plays into a file", run.report())
        run = self.arena("work", "postgresql://ann:secret@db/spring")
        self.assertEqual(run.status, 2)
        self.assertNotIn("secret", run.report())

    def test_a_slow_machine_is_refused_or_its_clocks_are_scaled(self):
        run = self.finish(self.tournament(*GOOD, *FIELD[:2], "--games", 200, *QUICK, "--max-games",
                                          20))
        self.query("UPDATE worker SET speed = 1000 * speed")
        self.query("DELETE FROM configuration WHERE name = 'max-games'")
        told = self.finish(self.work(), 7)
        self.assertIn("% of the speed of the record's first one", told)
        self.assertIn("--scale-time", told)

    def test_a_test_ends_all_workers_alike(self):
        worker = self.work()
        run = self.tournament(*GOOD, *player("builtin:random", name="Bad"), "--sprt",
                              "0,10,0.05,0.05", "--max-games", 100000, *QUICK, "--concurrency", 1)
        report = self.finish(run, 6)
        self.assertIn("H1 accepted", report)
        self.finish(worker)


class Verified(WorkTest):
    def play_again(self, bot, wanted):
        """A tournament, and a worker that plays its games again until `wanted` are found."""
        run = self.tournament(*GOOD, *bot, *MANY, *QUICK, "--concurrency", 1)
        worker = self.work("--verify", "100%")
        self.wait_until(lambda: self.has_table("verification") and self.number(
            f"SELECT count(*) FROM verification WHERE {wanted}") > 0)
        told = self.stop(worker, 0)
        self.stop(run, 143)
        return told, self.status()

    def test_finds_games_of_players_that_follow_their_seed_alike(self):
        told, status = self.play_again(player(RANDOM, name="Bot"), "true")
        self.assertGreater(status["verified"], 0, told)
        self.assertEqual(status["mismatches"], [], told)
        self.assertIn("of others played again", told)

    def test_names_the_machines_the_game_and_the_move_that_differ(self):
        bot = self.folder / "bot.py"
        text = (ROOT / "bots" / "python" / "nim_bot.py").read_text()
        bot.write_text(text.replace("chance.choice(standing)", "random.choice(standing)"))
        told, status = self.play_again(player(f"{sys.executable} {bot}", name="Bot"),
                                       "difference <> ''")
        self.assertGreater(len(status["mismatches"]), 0, told)
        self.assertRegex(told, r"mismatch: game 1\.\S+ of worker \d+ \(.+\): move \d+ is \d=\d there, "
                               r"\d=\d here")
        mismatch = status["mismatches"][0]
        self.assertNotEqual(mismatch["worker"], mismatch["again_by"])
        text = self.arena("status", self.url).out.decode()
        self.assertRegex(text, r"mismatch: game \S+ of worker \d \(.+\), played again by worker \d ")


class Status(WorkTest):
    def test_shows_machines_and_progress(self):
        self.finish(self.tournament(*FIELD, "--games", 4, *QUICK))
        told = self.status()
        self.assertEqual((told["format"], told["players"], told["games"], told["total"]),
                         ("round-robin", 4, 24, 24))
        self.assertEqual((told["over"], told["waiting"], told["claimed"]), (True, 0, 0))
        self.assertEqual([worker["games"] for worker in told["workers"]], [24])
        self.assertGreater(told["workers"][0]["speed"], 0)
        self.assertFalse(told["workers"][0]["live"])
        text = self.arena("status", self.url).out.decode()
        self.assertIn("round-robin, 4 players: 24 of 24 games, over", text)
        self.assertRegex(text, r"(?m)^ +1 \S+ +\d+ +\d+ +100% ")

    def test_says_that_nothing_has_begun(self):
        run = self.arena("status", self.url)
        self.assertEqual(run.status, 1)
        self.assertEqual(self.arena("status", "spring.db").status, 2)

    def test_doctor_compares_machines(self):
        self.finish(self.tournament(*FIELD, "--games", 4, *QUICK))
        told = self.arena("doctor", self.url).out.decode()
        self.assertRegex(told, r"speed of this machine +\d+ % of the first")


if __name__ == "__main__":
    unittest.main()
