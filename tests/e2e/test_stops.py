"""What becomes of players when the arena itself is stopped, as a frozen container is."""
from arena import *

# At the first `go` of all it makes a file, stops the arena, which is its guardian's parent, and waits
# for a word from a FIFO.
WAITER = """
import signal

asked, go_on = sys.argv[1:]


def go(words):
    if not os.path.exists(asked):
        open(asked, "w").close()
        with open(f"/proc/{os.getppid()}/stat") as guardian:
            os.kill(int(guardian.read().rpartition(")")[2].split()[1]), signal.SIGSTOP)
        with open(go_on) as fifo:
            if fifo.read() == "be silent":
                return
    play(words)


run(go=go)
"""

# Computes for a second while the waiter waits, and never again.
BURNER = """
import threading
from pathlib import Path

asked, burnt = map(Path, sys.argv[1:])


def burn():
    while not asked.exists():
        time.sleep(0.01)
    begin = time.process_time()
    while time.process_time() < begin + 1:
        pass
    burnt.touch()


threading.Thread(target=burn, daemon=True).start()
run()
"""


class Stops(ArenaTest):
    MOVETIME = 1500  # ms

    def play(self, word, opponent=GOOD, until=lambda: True):
        """Stops the arena while the bot is asked, for longer than the bot's time; meanwhile the
        bot answers, or decides to be silent."""
        asked, go_on = self.folder / "asked", self.folder / "go_on"
        os.mkfifo(go_on)
        process = self.start(
            ARENA, "match", *self.scripted("Waiter", WAITER, asked, go_on), *opponent,
            "--games", 2, "--position", "nim:1,1", "--movetime", self.MOVETIME, "--seed", 1,
            "--concurrency", 1, "--startup", 1000 * PATIENCE, "--jsonl", "-")
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status), "it has ended before it asked")
        stopped = time.monotonic()
        go_on.write_text(word)
        # The wait is what is tested: the arena is away for longer than the bot may take.
        self.wait_until(lambda: time.monotonic() > stopped + 1.2 * self.MOVETIME / 1000 and until())
        process.send_signal(signal.SIGCONT)
        run = self.end_of(process, 0)
        self.assertEqual([game["reason"] for game in run.games()], ["no-moves"] * 2, run.report())
        self.assertRegex(run.report(), r"note: the arena itself did not run for [1-9][0-9]*\.[0-9] s, in [0-9]+ gap")
        return run

    def test_a_stop_is_on_no_players_clock(self):
        run = self.play("answer")
        self.assertLess(max(time for game in run.games() for time in game["times_us"]),
                        self.MOVETIME * 1000, "none has used the time of the stop")

    def test_where_it_cannot_be_told_who_was_late_the_game_is_played_again(self):
        run = self.play("be silent")
        self.assertRegex(run.report(), r"game 1 is void, and is played again: the arena itself did not run for "
                                       r"[0-9]+ ms when p1 was to move: it cannot be told who was late")

    def test_cpu_time_of_a_void_game_is_not_judged_in_its_replay(self):
        burnt = self.folder / "burnt"
        burner = self.scripted("Burner", BURNER, self.folder / "asked", burnt)
        run = self.play("be silent", [*burner, "--off-turn", "lose"], burnt.exists)
        self.assertIn("game 1 is void, and is played again", run.report())

    def test_a_bot_that_stops_itself_is_charged(self):
        run = self.match(*player(zoo("stops"), name="Stops"), *GOOD, position="nim:1,1", games=2,
                         movetime=300)
        self.assertEqual({game["reason"] for game in run.games()}, {"timeout"}, run.report())
        self.assertNotIn("is void", run.report())
