"""Bots that are only odd: no fault, whatever they look like."""
from arena import *


class Oddities(ArenaTest):
    def expect_innocent(self, kind, games=4, argument="", **options):
        run = self.match(*player(zoo(kind, argument), **options), *GOOD, "--strict",
                         games=games)
        records = self.assert_played(run, games)
        for game in records:
            self.assertEqual(game["reason"], "no-moves", game)
            self.assertNotIn("exit", game)
        return run

    def test_decent(self):
        self.expect_innocent("decent")

    def test_carriage_returns(self):
        self.expect_innocent("carriage_returns")

    def test_blanks(self):
        self.expect_innocent("blanks")

    def test_words_after_the_move(self):
        self.expect_innocent("ponders")

    def test_two_bestmoves(self):
        self.expect_innocent("two_bestmoves")

    def test_bestmove_unasked(self):
        self.expect_innocent("bestmove_unasked")

    def test_garbage_before_a_move(self):
        self.expect_innocent("garbage_before_a_move")

    def test_many_lines_before_a_move(self):
        self.expect_innocent("many_lines_before_a_move", games=2)

    def test_byte_by_byte(self):
        self.expect_innocent("byte_by_byte")

    def test_ignores_quit(self):
        self.expect_innocent("ignores_quit")

    def test_ignores_quit_and_sigterm(self):
        self.expect_innocent("ignores_quit_and_sigterm")

    def test_ignores_quit_and_sigterm_at_every_game(self):
        self.expect_innocent("ignores_quit_and_sigterm", restart="on")

    def test_slow_start(self):
        self.expect_innocent("starts_slowly")

    def test_floods_stderr(self):
        self.expect_innocent("floods_stderr")

    def test_strange_name(self):
        run = self.expect_innocent("strange_name")
        names = {game["p1"] for game in run.games()}
        self.assertIn("N\\x00 \\x1b[1m \ufffd ä \\u202e", names)
        for text in (run.out, run.err):
            self.assertFalse(set(text) & (set(range(32)) - {ord("\n")}), "control characters")
            self.assertNotIn("\u202e", text.decode())

    def test_daemonizes(self):
        self.expect_innocent("daemonizes")

    def test_daemonizes_at_every_game(self):
        self.expect_innocent("daemonizes", restart="on")


if __name__ == "__main__":
    unittest.main()
