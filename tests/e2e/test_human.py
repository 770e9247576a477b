"""A person at the keyboard, simulated by standard input."""
from arena import *

PROMPT = "Your move (? for help): "


class Human(ArenaTest):
    def match_of(self, typed, *arguments, opponent="builtin:perfect"):
        # From a file, not a pipe: it is read exactly as far as needed, whatever the timing.
        keyboard = self.folder / "typed"
        keyboard.write_bytes(typed if isinstance(typed, bytes) else typed.encode())
        with keyboard.open("rb") as stdin:
            run = self.end_of(self.start(ARENA, "match", "human", opponent, *arguments, stdin=stdin))
        self.assertEqual(self.offspring(), {}, "left behind")
        return run

    def play(self, typed, *arguments, position="nim:3,2", games=2, opponent="builtin:perfect"):
        return self.match_of(typed, "--position", position, "--games", games, "--jsonl", "-", *arguments,
                             opponent=opponent)

    def fun(self, typed, *arguments, position="nim:3,2", opponent="builtin:perfect"):
        """The output of a match without --games."""
        run = self.match_of(typed, "--position", position, "--seed", 1, *arguments, opponent=opponent)
        self.assertEqual((run.status, run.err), (0, b""))
        return run.out.decode()

    def begin(self, *arguments, opponent="builtin:perfect", position="nim:3,2"):
        """A match whose keyboard is a pipe that stays open."""
        return self.start(ARENA, "match", "human", opponent, "--position", position, *arguments,
                          stdin=subprocess.PIPE)

    def await_prompt(self, stream):
        shown = b""
        while not shown.endswith(PROMPT.encode()):
            byte = stream.read(1)
            self.assertTrue(byte, shown)
            shown += byte

    def replies(self, run):
        """The output after each question, up to the next."""
        return [part.split("\n\n")[0] for part in run.report().split(PROMPT)[1:]]

    def test_plays_whole_games(self):
        # Game 1: the human moves first and wins nim:3,2; game 2: the perfect player does.
        run = self.play("1=2\n2=1\n1=0\n" * 10, "--strict", opponent=zoo("decent"))
        games = self.assert_played(run, 2)
        for game in games:
            self.assertEqual(game["reason"], "no-moves")
            self.assertEqual({game["p1"], game["p2"]}, {"human", "Zoo"})

    def test_sees_the_position(self):
        run = self.play("quit\nquit\n", position="nim:3,0+take{1,2}:70 misere")
        self.assertRegex(run.report(), "  nim\n     1: 3 (●●●|ooo)\n     2: 0 \n"
                                       r"  take\{1,2\}\n     3: 70 (●{60}|o{60}) \.\.\.\n"
                                       r"  \(misere\)\nYou are player 1\. ")
        self.assertRegex(run.report(), r"  the last move: [13]=\d+\n  nim\n")
        self.assertIn("You are player 2. ", run.report())

    def test_asks_again_until_a_move_is_legal(self):
        run = self.play("foo\n9=0\n1=9\n\n1 9\n1 0\n0 1\n1=3\n1 3\n2=0\n2=0\n1=0\n" + "quit\n" * 4)
        game = self.assert_played(run, 2)[0]
        self.assertEqual(game["moves"][0], "1=0")
        replies = self.replies(run)
        self.assertEqual(replies[0],
                         "column 1: read 'foo', expected a move such as 2=1; ? for help\n"
                         "You are player 1. ")
        self.assertEqual(replies.pop(3), "You are player 1. ", "after an empty line")
        for reply in replies[:7]:
            self.assertRegex(reply, r"^(column \d+: .+|heap 1 has only 3|there is no heap 0, "
                                    r"expected 1 to 2|take at least 1); \? for help\nYou are player 1\. $")
        self.assertTrue(replies[3].startswith("heap 1 has only 3; "), replies)
        self.assertTrue(replies[5].startswith("there is no heap 0, "), replies)

    def test_takes_stones_in_words(self):
        out = self.fun("Take 2 from heap 2\nwhy\nQuit\n", position="nim:3,5")
        self.assertRegex(out, r"the last move: [12]=[0-2]\n  nim\n     1: [0-3]")
        self.assertIn("You lost (gave up).", out)
        self.assertIn("heap 1 has only 3", self.fun("take 4 from 1\nexit\n", position="nim:3,5"))
        for typed in ("take 2 stones from 2", "take 2 stones from heap 2", "2 = 3"):
            run = self.play(typed + "\nquit\nquit\n", position="nim:3,5")
            self.assertEqual(self.assert_played(run, 2)[0]["moves"][0], "2=3", typed)

    def test_is_told_how_to_take_stones(self):
        out = self.fun("take\ntake 2\ntake two from 3\ntake 0 from 1\ntake 2 from 1\n?\nexit\n",
                       position="take{1,3}:9,5")
        self.assertEqual(out.count("write how many, and from which heap: take 2 from 3; ? for help"), 3, out)
        self.assertIn("take at least 1; ? for help", out)
        self.assertIn("take{1,3} does not let you take 2 from heap 1, which is 9; ? for help", out)
        self.assertIn("(or: take 3 from 2)", out)

    def test_starts_from_several_small_heaps(self):
        out = self.match_of("quit\n", "--seed", 5).out
        heaps = [int(line.split()[1]) for line in out.decode().splitlines() if "\u25cf" in line]
        self.assertIn(len(heaps), (3, 4), out)
        self.assertLessEqual(max(heaps), 9)

    def test_leaves_between_two_games(self):
        self.assertEqual(self.fun("1=2\n2=1\n1=0\nEXIT\n", position="nim:3,2,0")
                         .count("Another game"), 1)

    def test_lists_the_moves(self):
        run = self.play("?\nhelp\nquit\nquit\n", position="nim:2,1")
        for reply in self.replies(run)[:2]:
            self.assertIn("take 3 from heap 2", reply)
            self.assertIn("\n  1=0 1=1 2=0\nYou are player 1. ", reply)

    def test_lists_a_part_of_many_moves(self):
        run = self.play("?\nquit\nquit\n", position="nim:9223372036854775807")
        self.assertIn("1=59 ...\n", self.replies(run)[0])

    def test_plays_one_game_and_another_with_sides_changed(self):
        out = self.fun("1=2\n2=1\n1=0\nmaybe\nn\n", position="nim:3,2,0")
        self.assertIn("nim: ", out)
        self.assertIn("Who makes the last move wins.\n", out)
        self.assertEqual(out.count("Another game, the other player moving first? (y/n) "), 1)
        self.assertTrue(out.endswith("expected y or n: "), out)
        self.assertNotIn("Elo", out)
        self.assertNotIn(" games", out)
        again = self.fun("1=0\ny\n1=0\n", position="nim:1,1")
        self.assertIn("You are player 1. ", again)
        self.assertIn("You are player 2. ", again.partition("Another game")[2])

    def test_plays_until_the_person_leaves(self):
        out = self.fun("quit\n", position="nim:3,2")
        self.assertEqual(out.count("Another game"), 0)
        # In every other game the opponent takes all, before any question.
        out = self.fun("1=0\n" + "y\ny\n1=0\n" * 3 + "n\n", position="nim:3")
        self.assertEqual(out.count("Another game"), 7, out)

    def test_is_not_asked_again_after_the_end_of_input(self):
        out = self.fun("", position="nim:3,2")
        self.assertTrue(out.endswith("\nYou lost (gave up: the input has ended).\n"), out)

    def test_an_opponent_that_does_not_start_again_ends_the_match(self):
        """It has crashed in game 1, and is to move first in game 2."""
        run = self.match_of("1=2\n", "--position", "nim:3,2", "--seed", 1,
                            opponent=zoo("starts_once", str(self.folder / "started")))
        out = run.out.decode()
        self.assertEqual((run.status, out.count("Another game")), (3, 0), out)
        self.assertIn(" lost 1 game by startup; game 2: no 'ugiok'", out)

    def test_sees_a_game_that_ends_before_its_turn(self):
        run = self.play("1=0\n", position="nim:3")
        self.assertEqual(run.games()[1]["p1"], "perfect")
        self.assertIn("\nnim: Take any number of stones from one heap.\n"
                      "Who makes the last move wins.\n\n"
                      "  the last move: 1=0\n  nim\n     1: 0 \nYou lost.\n", run.report())
        out = self.fun("1=0\ny\nn\n", position="nim:3")
        self.assertIn("\n  the last move: 1=0\n  nim\n     1: 0 \nYou lost.\nAnother game", out)

    def test_asks_the_solver(self):
        out = self.fun("hint\nvalues\nwhy\nrules\n1=2\nhint\nquit\n")
        self.assertIn("1=2 wins.\n", out)
        self.assertIn("     1: 3\n     2: 2\n   sum: 1\n", out)
        self.assertIn("The heaps have the nimbers 3 and 2; ", out)

    def test_takes_a_move_back(self):
        # 1=1 loses, 1=2 wins; the position is the first one again.
        out = self.fun("undo\n1=1\nundo\n1=2\nquit\n")
        self.assertIn("there is no move of yours to take back\n", out)
        boards = out.split("     1: ")[1:]
        self.assertEqual([board[0] for board in boards[:3]], ["3", "1", "3"], out)
        self.assertIn(boards[3][0], "012")
        self.assertIn("\nYou lost (gave up).\n", out)
        run = self.play("1=2\nundo\nquit\nquit\n")
        self.assertIn("undo is for a match of one person without --games and without a record", run.report())

    def test_gives_up(self):
        run = self.play("quit\n quit \n")
        for game in self.assert_played(run, 2):
            self.assertEqual((game["reason"], game["detail"], game[game["winner"]]),
                             ("disconnected", "gave up", "perfect"))

    def test_end_of_input_gives_up(self):
        run = self.play("1=2\n")
        games = self.assert_played(run, 2)
        self.assertEqual(games[0]["moves"][0], "1=2")
        for game in games:
            self.assertEqual((game["reason"], game["detail"], game[game["winner"]]),
                             ("disconnected", "gave up: the input has ended", "perfect"))

    def test_strange_input(self):
        run = self.play(b"\x1b[2J\xff\0\n" + b"x" * (1 << 21) + b"\n1=0\n")
        game = self.assert_played(run, 2)[0]
        self.assertEqual(game["detail"],
                         "read a line beyond 1048576 bytes, expected a shorter one")
        self.assertNotIn(b"\x1b", run.err)

    def test_two_persons_share_the_keyboard(self):
        run = self.play("1=0\n2=0\n2=0\n1=0\n", opponent="human")
        games = self.assert_played(run, 2)
        self.assertEqual([game["moves"] for game in games], [["1=0", "2=0"], ["2=0", "1=0"]])
        self.assertEqual({game["winner"] for game in games}, {"p2"})

    def test_is_asked_when_it_is_its_turn(self):
        process = self.begin("--games", 2, "--jsonl", "-", opponent=zoo("decent"), position="nim:1,1")
        for move in ("1=0", "2=0"):
            self.await_prompt(process.stderr)
            process.stdin.write(move.encode() + b"\n")
        games = self.assert_played(self.end_of(process), 2)
        self.assertEqual([game["moves"] for game in games], [["1=0", "2=0"]] * 2)

    def test_has_no_limit_unless_a_time_is_given(self):
        process = self.begin("--games", 2, "--movetime", 50, "--jsonl", "-")
        self.addCleanup(process.stdin.close)
        # Nothing is typed, and the pipe stays open.
        out, err = process.stdout.read(), process.stderr.read()
        for game in self.assert_played(Finished(process.wait(PATIENCE), out, err), 2):
            self.assertEqual((game["reason"], game[game["winner"]]), ("timeout", "perfect"))

    def test_is_interrupted(self):
        process = self.begin("--games", 2, "--jsonl", "-")
        self.await_prompt(process.stderr)
        process.send_signal(signal.SIGINT)
        # The pipe stays open: its end would be another reason to give up.
        out, err = process.stdout.read(), process.stderr.read()
        self.assertEqual(process.wait(PATIENCE), 130, err.decode())
        self.assertEqual(out, b"", "a game without an end is not in the record")

    def test_an_interrupted_person_is_not_told_of_numbers(self):
        """Without --games there is no last game."""
        process = self.begin()
        self.await_prompt(process.stdout)
        process.send_signal(signal.SIGINT)
        out = process.stdout.read().decode()
        self.assertEqual(process.wait(PATIENCE), 130)
        self.assertRegex(out, r"(?m)^interrupted$")
        self.assertNotIn("games were played", out)
