"""How a player's fault affects the match. The bad bots themselves are in tests/hostile."""
from arena import *


class Faults(ArenaTest):
    def test_strict_tells_by_the_exit_status(self):
        run = self.match(zoo("answers", "bestmove 0=0"), *GOOD, "--strict")
        self.assert_played(run, 4, status=4)

    def test_the_report_shows_what_a_player_said_last(self):
        run = self.match(*player(zoo("crash", "SIGSEGV"), name="Bad"), *GOOD)
        for game in self.assert_played(run, 4):
            self.assertEqual((game["reason"], game[game["winner"]]), ("disconnected", "Good"))
        for words in ("SIGSEGV", "about to crash"):
            self.assertIn(words, run.report())


class NoStart(ArenaTest):
    """Nothing is played: exit status 3, with the player, the reason and its stderr."""

    def expect(self, bad, *words, startup=10000):
        run = self.match(*bad, *GOOD, "--startup", startup)
        self.assertEqual(run.status, 3, run.report())
        for word in (*words, "does not start", "no game was played"):
            self.assertIn(word, run.report())
        self.assertEqual(run.games(), [])

    def expect_of_zoo(self, kind, *words, argument="", startup=10000):
        self.expect(player(zoo(kind, argument), name="Bad"), "Bad", *words, startup=startup)

    def test_exit_in_handshake(self):
        self.expect_of_zoo("exit_in_handshake", "9", "no licence found")

    def test_crash_in_handshake(self):
        self.expect_of_zoo("crash_in_handshake", "SIGSEGV", argument="SIGSEGV")

    def test_silence_in_handshake(self):
        self.expect_of_zoo("silent_handshake", "ugiok", "flush", startup=300)

    def test_endless_handshake(self):
        self.expect_of_zoo("endless_handshake", "ugiok", startup=300)

    def test_never_ready(self):
        self.expect_of_zoo("never_ready", "readyok", startup=3000)

    def test_no_such_program(self):
        self.expect(["no-such-bot-anywhere"],
                    "cannot start 'no-such-bot-anywhere': there is no such program in PATH")

    def test_no_such_directory(self):
        self.expect(player(zoo("decent"), dir="/no/such/directory"),
                    "directory '/no/such/directory': No such file or directory")

    def test_nobody_listens(self):
        """It may come later: only its games are lost."""
        run = self.match("tcp://127.0.0.1:1", *GOOD, "--startup", 1000)
        self.assertEqual(run.status, 3, run.report())
        self.assertIn("127.0.0.1:1", run.report())
        for game in run.games():
            self.assertEqual((game["reason"], game[game["winner"]]), ("startup", "Good"))

    def test_a_mistyped_path(self):
        missing = shlex.join([sys.executable, str(self.folder / "bto.py")])
        self.expect(player(missing, name="Bad"), "its last lines on stderr:", "bto.py",
                    "No such file or directory")

    def test_second_start_fails(self):
        # It crashed in a game and cannot be restarted for the next one.
        run = self.match(*player(zoo("starts_once", str(self.folder / "started")), name="Bad"),
                         *GOOD, "--concurrency", 1)
        records = run.games()
        self.assertEqual(records[0]["reason"], "disconnected", run.report())
        for game in records[1:]:
            self.assertEqual((game["reason"], game[game["winner"]]), ("startup", "Good"))
        self.assertGreater(len(records), 1)


if __name__ == "__main__":
    unittest.main()
