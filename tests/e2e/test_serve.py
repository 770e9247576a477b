"""Bots that dial in to nim-arena serve, and how it treats those that misbehave."""
from serving import *


class Serve(ServeTest):
    def test_a_ladder_among_connected_bots_until_it_is_stopped(self):
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        address = self.serve()
        for secret in secrets:
            self.bot(address).join(secret).play()
        self.await_games(6)
        self.stop()
        self.assertEqual({reason for _, reason in self.games()}, {"no-moves"})
        text = self.arena("export", self.record, "--format", "pgn").out.decode()
        self.assertIn('[White "Ann"]', text)
        self.assertIn('[White "Bob"]', text)

    def test_rounds_of_a_ladder_are_told_every_few_seconds(self):
        ann, bob = self.token("Ann"), self.token("Bob")
        address = self.serve()
        self.bot(address).join(ann).play()
        self.bot(address).join(bob).play()
        self.said.until("^round 1: 2 games$")
        told, number = 1, 1
        while number <= told:  # until some are left out
            told += 1
            number = int(self.said.until(r"^round (\d+): 2 games; so far \d+ games, .* games/s, "
                                         r"\w+ [0-9.]+, ")[1])
        self.stop()

    def test_a_ladder_ends_with_its_budget(self):
        self.token("Ann")
        self.serve(*player("builtin:random"), *player("builtin:perfect"), "--budget", "1s")
        self.assertEqual(self.server.wait(PATIENCE), 0, self.said.all)

    def test_says_its_own_name_where_a_bot_cannot_be_built(self):
        folder = self.folder / "class" / "ann"
        folder.mkdir(parents=True)
        (folder / "player.toml").write_text('build = "false"\nrun = "./bot"\n')
        self.token("Bob")
        run = self.arena("serve", "--listen", "127.0.0.1:0", "--tokens", self.tokens, "--record",
                         self.record, "--player", f"dir={self.folder}/class/*", "--builds",
                         self.folder / "builds", status=3)
        self.assertIn("nim-arena serve: a bot cannot be built", run.report())

    def test_help_has_the_defaults_of_a_server(self):
        text = " ".join(self.arena("help", "serve", "all").out.decode().split())
        self.assertNotIn("--sprt ELO0", text)
        for default in ("(default: ladder", "(default: 64; with --clinic 256)", "(default: 2)",
                        "(default: no end)"):
            self.assertIn(default, text)
        self.assertNotIn("(default: round-robin)", text)

    def test_a_round_robin_ends_with_quit(self):
        secrets = [self.token(name) for name in ("Ann", "Bob", "Cy")]
        address = self.serve("--format", "round-robin", "--await", 3, "--games", 2)
        bots = [self.bot(address).join(secret) for secret in secrets]
        for bot in bots[1:]:
            bot.play()
        self.assertEqual(bots[0].play_until(), "quit")
        self.said.until("^round-robin: 3 players, 6 games, 64 at once")  # as many as later ones may need
        self.assertEqual(self.server.wait(PATIENCE), 0)
        self.assertEqual(len(self.games()), 6)

    def test_a_bot_at_a_table_is_sent_quit_when_the_drain_ends(self):
        secret = self.token("Ann")
        address = self.serve("--player", "cmd=builtin:random name=House", "--format", "round-robin",
                             "--games", 20, "--drain", 1, "--movetime", 60000)
        bot = self.bot(address).join(secret, "id notices on")
        self.assertTrue(bot.play_until("go").startswith("go "))
        self.server.send_signal(signal.SIGINT)
        self.assertRegex(bot.play_until("info"), '"contest-over".*"interrupted":true')
        self.assertEqual(bot.play_until("quit"), "quit")
        self.assertEqual(self.server.wait(PATIENCE), 130)
        self.assertEqual(self.games(), [])

    def test_a_ladder_ends_with_its_budget_though_everybody_has_left(self):
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        address = self.serve("--budget", "1s", "--absence", 1000)
        bots = [self.bot(address).join(secret).play() for secret in secrets]
        self.await_games(1)
        for bot in bots:
            bot.socket.shutdown(socket.SHUT_RDWR)
        self.assertEqual(self.server.wait(PATIENCE), 0)

    def names(self):
        return [name for name, in self.recorded("SELECT name FROM entrant ORDER BY number")]

    def test_an_own_bot_cannot_take_the_name_of_a_token(self):
        secret = self.token("Ann")
        # Twice: the record is resumed.
        for games in (4, 8):
            address = self.serve(*self.introduced("Ann"), position="nim:3")
            self.bot(address).join(secret).play()
            self.await_games(games)
            self.stop()
            self.assertEqual(self.names(), ["bot.sh", "Ann"])

    def test_a_late_joiner_may_have_the_name_of_an_own_bot(self):
        secret = self.token("Ann")
        address = self.serve(*self.introduced("Ann"), "--player", "cmd=builtin:random name=House",
                             position="nim:3")
        self.await_games(2)
        self.bot(address).join(secret).play()
        late = "SELECT game.rowid FROM game JOIN pair ON pair.id = game.pair WHERE 2 IN (player1, player2)"
        self.wait_until(lambda: len(self.recorded(late)) >= 2)
        self.stop()
        self.assertEqual(self.names(), ["bot.sh", "House", "Ann"])

    def test_events_name_late_joiners(self):
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        told = self.folder / "events"
        address = self.serve("--events", f"jsonl:{told}")
        for secret in secrets:
            self.bot(address).join(secret).play()
        self.await_games(2)
        self.bot(address).join(self.token("Cy")).play()
        self.wait_until(lambda: '"player":2,"move"' in told.read_text())
        self.stop()
        events = [json.loads(line) for line in told.read_text().splitlines()]
        self.assertCountEqual(events[0]["players"], ["Ann", "Bob"])
        late = {"event": "name", "player": 2, "name": "Cy"}
        self.assertEqual([event for event in events if event["event"] == "name"], [late])
        self.assertLess(events.index(late),
                        next(i for i, event in enumerate(events)
                             if event["event"] == "move" and event["player"] == 2))

    def test_a_bot_that_disconnects_loses_the_game_and_may_return(self):
        ann, bob = self.token("Ann"), self.token("Bob")
        address = self.serve("--movetime", 600000, "--hang", 600000)
        first = self.bot(address).join(ann)
        self.bot(address).join(bob).play()
        self.assertTrue(first.play_until("go").startswith("go"))
        first.socket.shutdown(socket.SHUT_RDWR)
        self.await_games(1)
        self.assertEqual(self.games()[0][1], "disconnected")
        self.bot(address).join(ann).play()
        self.await_games(3)
        self.assertEqual({reason for _, reason in self.games()[1:]}, {"no-moves"})
        self.stop()
        # The record names its players by their tokens.
        show = self.arena("show", self.record, "1.1.1.1.1.2").out.decode()
        for name in ("Ann", "Bob"):
            self.assertRegex(show, rf"p[12] {name}, seed [0-9]+\n    cmd=token://{name}\n")
        self.assertNotIn("not started as it was",
                         self.arena("replay", self.record, "1.1.1.1.1.2").out.decode())

    def test_an_absent_bot_holds_up_nobody(self):
        """In a round robin with one game at a time: the second game of a pair waits, too."""
        secrets = [self.token(name) for name in ("Ann", "Bob", "Cid")]
        address = self.serve("--format", "round-robin", "--games", 40, "--await", 3, "--concurrency", 1,
                             "--absence", 600000, "--movetime", 600000, "--hang", 600000)
        ann, bob, cid = (self.bot(address).join(secret) for secret in secrets)
        ann.play(), bob.play()
        cid.play_until("go")
        cid.socket.shutdown(socket.SHUT_RDWR)
        self.await_games(36)
        self.stop()

    def test_a_game_that_does_not_start_is_tried_again_with_the_next_connection(self):
        ann, bob = self.token("Ann"), self.token("Bob")
        address = self.serve("--format", "round-robin", "--await", 2, "--games", 2,
                             "--absence", 600000)
        first = self.bot(address).join(ann)
        self.bot(address).join(bob).play()
        self.assertEqual(first.play_until("uginewgame"), "uginewgame")
        first.socket.shutdown(socket.SHUT_RDWR)
        self.said.until("Ann has gone")
        # The game keeps waiting after a bot that disconnects during its handshake.
        half = self.bot(address).join(ann)
        self.assertEqual(half.line(), "isready")
        half.close()
        self.bot(address).join(ann).play()
        self.assertEqual(self.server.wait(PATIENCE), 0, self.said.all)
        self.assertEqual([reason for _, reason in self.games()], ["no-moves"] * 2)

    def test_connections_fit_the_limit_of_files(self):
        self.token("Ann")
        few = ("prlimit", "--nofile=300:300", ARENA, "serve", "--listen", "127.0.0.1:0",
               "--tokens", self.tokens)
        refused = self.end_of(self.start(*few, "--connections", 100), 2)
        self.assertIn("--connections: read 100, and this process may open 300 files, which is enough for 22; "
                      "expected no more, or a higher hard limit (ulimit -Hn 456", refused.report())
        Lines(self.start(*few).stdout).until("^note: room for 22 connections")

    def test_options_for_tournaments_only(self):
        run = self.arena("serve", "--listen", "127.0.0.1:0", "--tokens", self.tokens, "--keep-going", status=2)
        self.assertIn("--keep-going is for nim-arena tournament", run.report())

    def test_a_gauntlet_awaits_a_player_whom_its_seeds_meet(self):
        """Two players of the server's own would begin at once, and the record would be of no use."""
        run = self.arena("serve", "--listen", "127.0.0.1:0", "--tokens", self.tokens, "--record", self.record,
                         *player("builtin:perfect"), *player("builtin:random"), "--format", "gauntlet",
                         "--seeds", 2, status=2)
        self.assertIn("--await: read 2, expected 3 or more", run.report())
        self.assertFalse(self.record.exists())

    def test_a_signal_lets_games_end(self):
        self.let_games_end(signal.SIGTERM, times=1)

    def test_the_second_hangup_of_a_closed_terminal_drops_no_game(self):
        self.let_games_end(signal.SIGHUP, times=2)

    def let_games_end(self, number, times):
        ann, bob = self.token("Ann"), self.token("Bob")
        address = self.serve("--movetime", 600000, "--hang", 600000)
        slow = self.bot(address).join(ann)
        self.bot(address).join(bob).play()
        line = slow.play_until("go")
        self.server.send_signal(number)
        self.said.until("stopping: games may end")
        self.assertEqual(self.games(), [])
        for _ in range(times - 1):
            self.server.send_signal(number)
        slow.say("bestmove " + line.split("searchmoves ")[1].split()[0])
        slow.play_until()
        self.assertEqual(self.server.wait(PATIENCE), 128 + number)
        self.assertEqual([reason for _, reason in self.games()], ["no-moves"])

    def test_a_second_signal_ends_games_at_once(self):
        ann, bob = self.token("Ann"), self.token("Bob")
        address = self.serve("--movetime", 600000, "--hang", 600000)
        slow = self.bot(address).join(ann)
        self.bot(address).join(bob).play()
        slow.play_until("go")
        self.server.send_signal(signal.SIGTERM)
        self.said.until("stopping: games may end")
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(PATIENCE), 130)
        self.assertEqual(self.games(), [])
        self.assertEqual(slow.play_until(), "quit", "it sat at a table")

    def test_a_signal_while_a_game_waits_for_a_player_costs_nobody_a_game(self):
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        options = ["--format", "round-robin", "--await", 2, "--games", 2, "--absence", 600000,
                   "--movetime", 600000, "--hang", 600000]
        address = self.serve(*options)
        bots = [self.bot(address).join(secret) for secret in secrets]
        said = queue.Queue()

        def listen(bot):
            while line := bot.line():
                said.put((bot, line))
                if line == "isready":
                    bot.say("readyok")

        def hear(word):
            while True:
                bot, line = said.get(timeout=PATIENCE)
                if line.split()[0] == word:
                    return bot

        for bot in bots:
            threading.Thread(target=listen, args=(bot,), daemon=True).start()
        # The bot asked first leaves; it moves second in the next game, for which the other is ready.
        asked = hear("go")
        asked.socket.shutdown(socket.SHUT_RDWR)
        self.assertIsNot(hear("uginewgame"), asked)
        self.said.until("has gone: its connection ended in a game")
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(PATIENCE), 143)
        self.assertEqual([reason for _, reason in self.games()], ["disconnected"])
        address = self.serve(*options)
        for secret in secrets:
            self.bot(address).join(secret).play()
        self.assertEqual(self.server.wait(PATIENCE), 0)
        self.assertEqual([reason for _, reason in self.games()], ["disconnected", "no-moves"])

    # ---- TLS ----

    def test_who_speaks_no_tls_is_told(self):
        cert, key = self.tls_certificate()
        secret = self.token_file("Ann")
        host, port = self.serve("--tls", f"{cert},{key}")
        plain = self.bot((host, port))
        plain.socket.sendall(b"\0garbage" * 100)
        plain.socket.settimeout(PATIENCE)
        self.assertNotIn(b"ugi\n", plain.file.read())
        # So is a bot that waits for the server to speak.
        self.assertRegex(self.bot((host, port)).line(), "^refused tls: this port speaks TLS")
        lost = self.start(*CONNECT, f"{host}:{port}", "--token-file", secret, RANDOM)
        self.assertIn("the server refuses: tls: this port speaks TLS; connect.py needs --tls",
                      self.end_of(lost, 3).report())
        self.stop()
