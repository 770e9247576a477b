"""Bots that lose by what they do: each game for the right reason, and the match goes on."""
from arena import *


class Faults(ArenaTest):
    def expect(self, kind, reason, *, argument=None, exit=None, games=4, movetime=5000,
               position="nim:3,4,5", report=None):
        command = zoo(kind, argument) if argument is not None else zoo(kind)
        run = self.match(*player(command, name="Bad"), *GOOD, games=games,
                         movetime=movetime, position=position)
        records = self.assert_played(run, games)
        for game in records:
            self.assertEqual(game["reason"], reason, game)
            self.assertEqual(game[game["winner"]], "Good", game)
            self.assertRegex(game["detail"], r"^\w.*\w", game)
            self.assertEqual(game.get("exit"), exit, game)
            # The faulty move is not among the moves: those of both alternate up to it.
            bad_moves_first = game["p1"] == "Bad"
            self.assertEqual(len(game["moves"]) % 2, 0 if bad_moves_first else 1, game)
        if report:
            self.assertIn(report, run.report())
        return records

    # ---- no move in time ----

    def test_hang(self):
        self.expect("hang", "timeout", movetime=500)

    def test_drip(self):
        records = self.expect("drip", "timeout", movetime=500)
        for game in records:
            self.assertEqual(game["moves"], [] if game["p1"] == "Bad" else game["moves"][:1])

    def test_garbage(self):
        self.expect("garbage", "timeout", movetime=500)

    def test_half_a_line_then_silence(self):
        self.expect("half_a_line", "timeout", movetime=500)

    def test_never_reads(self):
        # Longer than a pipe takes, so that writing to it has to be given up.
        self.expect("never_reads", "timeout", movetime=500, games=2,
                    position="nim:" + ",".join(["1"] * 20000))

    # ---- gone ----

    def test_crash_by_SIGSEGV(self):
        self.expect("crash", "disconnected", argument="SIGSEGV", exit={"signal": "SIGSEGV"},
                    report="about to crash")

    def test_crash_by_SIGABRT(self):
        self.expect("crash", "disconnected", argument="SIGABRT", exit={"signal": "SIGABRT"})

    def test_crash_by_SIGKILL(self):
        self.expect("crash", "disconnected", argument="SIGKILL", exit={"signal": "SIGKILL"})

    def test_crash_by_SIGTERM(self):
        self.expect("crash", "disconnected", argument="SIGTERM", exit={"signal": "SIGTERM"})

    def test_crash_by_SIGINT(self):
        self.expect("crash", "disconnected", argument="SIGINT", exit={"signal": "SIGINT"})

    def test_crash_by_SIGBUS(self):
        self.expect("crash", "disconnected", argument="SIGBUS", exit={"signal": "SIGBUS"})

    def test_crash_by_SIGFPE(self):
        self.expect("crash", "disconnected", argument="SIGFPE", exit={"signal": "SIGFPE"})

    def test_crash_by_SIGILL(self):
        self.expect("crash", "disconnected", argument="SIGILL", exit={"signal": "SIGILL"})

    def test_crash_by_SIGPIPE(self):
        self.expect("crash", "disconnected", argument="SIGPIPE", exit={"signal": "SIGPIPE"})

    def test_exit_before_a_move(self):
        self.expect("exit_before_a_move", "disconnected", exit={"code": 5})

    def test_exit_in_a_move(self):
        self.expect("exit_in_a_move", "disconnected", exit={"code": 6})

    def test_exit_after_half_a_line(self):
        self.expect("exit_after_half_a_line", "disconnected", exit={"code": 0})

    def test_exit_after_a_move(self):
        # The move counts; what follows is lost.
        for game in self.expect("exit_after_a_move", "disconnected", exit={"code": 0}):
            self.assertGreaterEqual(len(game["moves"]), 2, game)

    def test_exit_after_the_winning_move(self):
        run = self.match(*player(zoo("exit_after_a_move"), name="Bad"), *GOOD, position="nim:1")
        for game in self.assert_played(run, 4):
            self.assertEqual((game["reason"], game["winner"], game["moves"]),
                             ("no-moves", "p1", ["1=0"]))

    def test_closes_stdout(self):
        self.expect("closes_stdout", "disconnected")

    def test_leaves_a_child_with_the_pipe(self):
        self.expect("leaves_a_child", "disconnected", exit={"code": 3})

    def test_stderr_that_would_harm_a_terminal(self):
        self.expect("strange_stderr", "disconnected", exit={"code": 7},
                    report="\\x1b]0;title\\x07 \ufffd")

    # ---- what it says ----

    def illegal(self, word):
        for game in self.expect("answers", "illegal-move", argument="bestmove " + word, games=2,
                                report=word):
            self.assertNotIn(word, game["moves"])

    def test_index_0(self):
        self.illegal("0=0")

    def test_index_beyond_the_heaps(self):
        self.illegal("4=0")

    def test_index_2_to_the_64(self):
        self.illegal("18446744073709551616=0")

    def test_index_2_to_the_64_and_one(self):
        self.illegal("18446744073709551617=0")

    def test_negative_index(self):
        self.illegal("-1=0")

    def test_index_with_leading_zero(self):
        self.illegal("01=0")

    def test_larger_heap(self):
        self.illegal("1=99")

    def test_heap_beyond_64_bits(self):
        self.illegal("1=18446744073709551616")

    def test_two_heaps_where_one_is_legal(self):
        self.illegal("1=1,1")

    def test_no_move_at_all(self):
        self.illegal("resign")

    def test_null_move(self):
        self.illegal("0000")

    def test_bestmove_alone(self):
        self.expect("answers", "protocol", argument="bestmove", games=2)

    def test_bestmove_and_blanks(self):
        self.expect("answers", "protocol", argument="bestmove \t ", games=2)

    def test_endless_line(self):
        self.expect("endless_line", "protocol")

    def test_line_longer_than_allowed(self):
        self.expect("long_line", "protocol")

    def test_more_lines_than_allowed(self):
        self.expect("floods_lines", "protocol")

    def test_more_bytes_than_allowed(self):
        self.expect("floods_bytes", "protocol")

    # ---- strict ----

    def test_strict_tells_by_the_exit_status(self):
        run = self.match(zoo("answers", "bestmove 0=0"), *GOOD, "--strict")
        self.assert_played(run, 4, status=4)

    def test_others_play_on_undisturbed(self):
        # At concurrency 4, those who hang and those who think share a thread.
        run = self.match(*player(zoo("hang"), name="Bad"), *GOOD, "--concurrency", 4,
                         games=8, movetime=500)
        for game in self.assert_played(run, 8):
            self.assertEqual((game["reason"], game[game["winner"]]), ("timeout", "Good"))


class NoStart(ArenaTest):
    """The match cannot be played: exit status 3, and who and why."""

    def expect(self, bad, *words, startup=10000):
        run = self.match(*bad, *GOOD, "--startup", startup)
        self.assertEqual(run.status, 3, run.report())
        for word in words:
            self.assertIn(word, run.report())
        for game in run.games():
            self.assertEqual((game["reason"], game[game["winner"]]), ("startup", "Good"))
            self.assertEqual(game["moves"], [])

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
        self.expect(["tcp://127.0.0.1:1"], "127.0.0.1:1", startup=1000)

    def test_second_start_fails(self):
        # It broke down in a game, and cannot be started anew for the next one.
        run = self.match(*player(zoo("starts_once", str(self.folder / "started")), name="Bad"),
                         *GOOD, "--concurrency", 1)
        records = run.games()
        self.assertEqual(records[0]["reason"], "disconnected", run.report())
        for game in records[1:]:
            self.assertEqual((game["reason"], game[game["winner"]]), ("startup", "Good"))
        self.assertGreater(len(records), 1)


if __name__ == "__main__":
    unittest.main()
