"""How a player's fault affects the match. The bad bots themselves are in tests/hostile."""
from arena import *


class Faults(ArenaTest):
    def test_strict_tells_by_the_exit_status(self):
        run = self.match(zoo("answers", "bestmove 0=0"), *GOOD, "--strict")
        self.assert_played(run, 4, status=4)

    def test_faults_are_coloured(self):
        bad = zoo("answers", "bestmove 0=0")
        self.assertRegex(self.match(bad, *GOOD, "--color", "always").report(), "\x1b\\[31m[^\n]* lost 4 games by illegal-move")
        self.assertNotIn("\x1b", self.match(bad, *GOOD).report(), "it is no terminal")
        self.assertNotIn("\x1b", self.match(bad, *GOOD, "--color", "never").report())


class BotTest(ArenaTest):
    BOT = """import os, sys, time
{start}
n = games = 0
for line in sys.stdin:
    word = line.split()[0]
    games += word == "uginewgame"
    if word == "ugi": print("option name LegalMoves type check default true\\nugiok")
    if word == "isready": {ready}
    if word == "go":
        n += 1
        moves = line.split("searchmoves ")[1].split()
        move = moves[0]
        {act}
        print("bestmove", move)
    {after}
    if word == "quit": break
"""

    def bot(self, name, **code):
        """A player that does something at one place of BOT."""
        file = self.folder / f"{name}.py"
        usual = {"start": "", "ready": "print('readyok')", "act": "", "after": ""}
        file.write_text(self.BOT.format(**usual | code))
        return player(f"{sys.executable} {file}", name=name)


class Told(BotTest):
    """The explanation of a fault for the author of the bot, which does something instead of a move."""

    # A machine that is busy then is told of, too: all words are compared in diagnosis_test.cpp.
    LOOPS = r"it used \d\.\d\d s of CPU.*: (an endless loop or a long search|the machine is too busy to tell .*)$"
    WAITS = r"it used (no CPU: is it waiting for input or a disk, or sleeping\?$|0\.[01]\d s of CPU in )"

    def detail(self, act, start="", position="nim:1,1,1,1,1,1", movetime=600_000):
        run = self.match(*self.bot("Bad", act=act, start=start), *player("builtin:random", name="Good"),
                         position=position, movetime=movetime, games=2)
        return run.games()[0]

    def test_an_endless_loop_after_good_answers(self):
        # As the second player it moves once, and so loops in one game only.
        game = self.detail("while n > 1: pass", position="nim:1,1,1", movetime=2000)
        self.assertEqual(game["reason"], "timeout")
        self.assertRegex(game["detail"], r"^p1 gave no move within 2000\.0 ms and 50 ms of margin; it had answered "
                                         "1 question in this game; " + self.LOOPS)
        self.assertNotIn("flush", game["detail"])

    def test_a_late_readyok_before_a_further_game(self):
        """Otherwise a player could delay the start of each game at no cost."""
        late = self.bot("Late", ready="games < 2 or time.sleep(1000); print('readyok')")
        run = self.match(*late, *GOOD, "--concurrency", 1, "--startup", 8000, position="nim:1,1,1", games=4)
        games = self.assert_played(run, 4)
        late = [game for game in games if game["reason"] == "timeout"]
        self.assertEqual(len(late), 2, games)
        for game in late:
            self.assertEqual(game[game["winner"]], "Good")
            self.assertIn("after 4000 ms no 'readyok' in time", game["detail"])

    def test_a_wait_for_input(self):
        # What it used before the question is not counted.
        detail = self.detail("time.sleep(1000)", start="while time.process_time() < 0.5: pass",
                             movetime=1000)["detail"]
        self.assertRegex(detail, "; (it had answered `isready`, and wrote nothing then; )?" + self.WAITS)
        self.assertNotIn("flush", detail)

    def test_an_exception(self):
        game = self.detail("[][n]")
        self.assertEqual((game["reason"], game["detail"]),
                         ("disconnected",
                          "its process ended with exit status 1: IndexError: list index out of range"))

    def test_its_own_reason(self):
        game = self.detail("print('info string error I do not play nim'); move = '0000'")
        self.assertTrue(game["detail"].endswith("; it wrote: I do not play nim"), game["detail"])
        game = self.detail("print('info string error no time', flush=True); time.sleep(1000)", movetime=1000)
        self.assertEqual(game["reason"], "timeout")
        self.assertTrue(game["detail"].endswith("; it wrote: no time"), game["detail"])

    def test_moves_that_are_not_followed(self):
        taken = "move = '1=8' if n == 1 else '1=%d' % len(moves)"
        for act, position, is_said in (("move = '1=0'", "nim:1,1,1,1,1,1", True),
                                       ("move = '1=1'", "nim:1,1,1,1,1,1", False),  # never legal
                                       ("move = '1=1'", "nim:5,1,1,1,1,1", True),
                                       (taken, "nim:9", False)):  # each time another number
            game = self.detail(act, position=position)
            self.assertEqual(game["reason"], "illegal-move")
            self.assertEqual(game["detail"].endswith(
                "; it was legal in the first position: does it play the moves after `moves`?"), is_said,
                game["detail"])


class OwnEnd(BotTest):
    """A bot that ends after a game. This is no fault: the next game is played by a new process."""

    def play(self, *options):
        run = self.arena("match", *options, "--concurrency", 1, "--movetime", 60000, "--strict", status=0)
        return run.out.decode()

    def test_before_each_further_game(self):
        said = self.play(*self.bot("Exiter", after='games < 2 or sys.exit("game over, bye")'), *GOOD,
                         "--games", 6, "--position", "nim:3,4,5")
        self.assertIn("\nExiter: its process ended with exit status 1 (game over, bye) after 5 games, without "
                      "being sent `quit`\n", said)

    def test_after_the_last_game(self):
        """It leaves during the opponent's last move, which comes once it is gone."""
        fifo = self.fifo()
        waiter = self.bot("Waiter", start=f"held = os.open({str(fifo)!r}, os.O_RDONLY | os.O_NONBLOCK)",
                          act="len(moves) > 1 or os.set_blocking(held, True) or os.read(held, 1)")
        # A descriptor alone: Python closes a file before its process ends.
        exiter = self.bot("Exiter", act=f"held = os.open({str(fifo)!r}, os.O_WRONLY)",
                          after='word == "go" and len(moves) > 1 and sys.exit("I have moved, bye")')
        said = self.play(*waiter, *exiter, "--games", 2, "--position", "nim:1,1")
        self.assertIn("\nExiter: its process ended with exit status 1 (I have moved, bye) after 1 game, without "
                      "being sent `quit`\n", said)


class NoStart(ArenaTest):
    """Nothing is played: exit status 3, with the player, the reason and its stderr."""

    def told(self, *bad, startup):
        """What a tournament says of each player that does not start, by its name."""
        run = self.arena("tournament", *bad, *GOOD, "--startup", startup, status=3)
        said, end, _ = run.report().partition("no game was played")
        self.assertTrue(end, said)
        parts = re.split(r"^(?:nim-arena: )?(\w+) does not start: ", said, flags=re.MULTILINE)[1:]
        return dict(zip(parts[::2], parts[1::2]))

    def assert_told(self, told, expected):
        self.assertEqual(list(told), list(expected))
        for name, words in expected.items():
            for word in words:
                self.assertIn(word, told[name], name)

    def test_all_reasons_are_named_at_once(self):
        missing = shlex.join([sys.executable, str(self.folder / "bto.py")])
        hungry = shlex.join([sys.executable, "-c", "x = bytearray(1 << 30)"])
        told = self.told(
            *player(zoo("exit_in_handshake"), name="Exits"),
            *player(zoo("crash_in_handshake", "SIGSEGV"), name="Crashes"),
            *player("no-such-bot-anywhere", name="Nowhere"), *player("perfect", name="Builtin"),
            *player("localhost:5000", name="Address"), *player(zoo("decent"), name="Lost", dir="/no/such/directory"),
            *player(missing, name="Typo"), *player(hungry, name="Hungry", data="256M"), startup=600_000)
        self.assert_told(told, {
            "Exits": ["9", "no licence found"],
            "Crashes": ["SIGSEGV"],
            "Nowhere": ["cannot start 'no-such-bot-anywhere': there is no such program in PATH"],
            "Builtin": ["there is no such program in PATH; did you mean builtin:perfect?"],
            "Address": ["did you mean tcp://localhost:5000?"],
            "Lost": ["directory '/no/such/directory': No such file or directory"],
            "Typo": ["its last lines on stderr:", "bto.py", "No such file or directory"],
            "Hungry": ["MemoryError", "to do: it ran out of memory, of which it has 256M for each of its "
                       "processes (data=): let it keep less, or allow more"]})

    def test_all_who_are_late_are_told_what_they_did_meanwhile(self):
        """The name of the bot without `ugiok` ends in the word that it does not write."""
        reads_all = "import sys; [print('ugiok', flush=True) for line in sys.stdin.readlines() if line == 'ugi\\n']"
        buffers = "import sys; out = open(1, 'w', 8192); [out.write('ugiok\\n') for line in sys.stdin]"
        no_ugiok = "import time; input(); print('id name no_ugiok', flush=True); time.sleep(100)"
        told = self.told(
            *player(zoo("silent_handshake"), name="Silent"), *player(zoo("endless_handshake"), name="Endless"),
            *player(zoo("never_ready"), name="Unready"),
            *[word for name, code in (("ReadsAll", reads_all), ("Buffers", buffers), ("NoUgiok", no_ugiok))
              for word in player(shlex.join([sys.executable, "-c", code]), name=name)], startup=5000)
        self.assert_told(told, {
            "Silent": ["after 5000 ms no 'ugiok' in time; it wrote nothing at all"],
            "Endless": ["ugiok"],
            "Unready": ["readyok", "it had answered `ugi`: see that it reads each line"],
            "ReadsAll": ["after 5000 ms no 'ugiok' in time; it came once the bot's input was closed",
                         "to do: read one line and answer it before the next one"],
            "Buffers": ["after 5000 ms no 'ugiok' in time; it came later, out of a buffer",
                        "to do: flush the output after each line"],
            "NoUgiok": ["write 'ugiok' as a line of its own; --startup MS gives it more time"]})

    def test_a_match_records_no_game(self):
        run = self.match(*player(zoo("exit_in_handshake"), name="Bad"), *GOOD)
        self.assertEqual((run.status, run.games()), (3, []), run.report())
        for word in ("Bad does not start", "no licence found", "no game was played"):
            self.assertIn(word, run.report())

    def test_no_such_file_of_authorities(self):
        record = self.folder / "games.db"
        run = self.match(*player("tls://localhost:1", name="Far", ca="nofile.pem"), *GOOD,
                         "--record", record, status=3)
        self.assertIn("player Far: ca: cannot read certificates of 'nofile.pem'", run.report())
        self.assertEqual((run.out, record.exists()), (b"", False))

    def test_nobody_listens(self):
        """It may come later: only its games are lost."""
        run = self.match("tcp://127.0.0.1:1", *GOOD, "--startup", 1000, status=3)
        self.assertIn("127.0.0.1:1", run.report())
        for game in run.games():
            self.assertEqual((game["reason"], game[game["winner"]]), ("startup", "Good"))

    def test_second_start_fails(self):
        # It crashed in a game and cannot be restarted for the next one.
        run = self.match(*player(zoo("starts_once", str(self.folder / "started")), name="Bad"),
                         *GOOD, "--concurrency", 1, "--startup", 60000)
        records = run.games()
        self.assertEqual(records[0]["reason"], "disconnected", run.report())
        for game in records[1:]:
            self.assertEqual((game["reason"], game[game["winner"]]), ("startup", "Good"))
        self.assertGreater(len(records), 1)
