"""What is left when the arena and its guardian are killed together."""
from hostile import *


class Leftovers(ArenaTest):
    def hang(self):
        """A match whose player thinks for ever, when its guardian no longer looks for leftovers."""
        log = self.folder / "log"
        arena = self.start(ARENA, "match", *player(zoo("hang")), "builtin:perfect", "--env", "clean",
                           "--games", 2, "--movetime", PATIENCE * 1000, "--concurrency", 1,
                           "--log", log)
        self.wait_until(lambda: log.exists() and " < go" in log.read_text())
        self.wait_until(lambda: [len(children(guardian)) for guardian in children(arena.pid)] == [1])
        return arena

    def kill_both(self):
        """A match whose player runs, and then is killed with its guardian, which cannot tidy up."""
        arena = self.hang()
        guardians = children(arena.pid)
        self.assertEqual(len(guardians), 1)
        for pid in (arena.pid, *guardians):
            os.kill(pid, signal.SIGSTOP)
        for pid in (arena.pid, *guardians):
            os.kill(pid, signal.SIGKILL)
        arena.wait(PATIENCE)
        self.kill_what_is_left()
        self.assertEqual(self.wait_for_deaths(self.offspring()), [])
        return [entry for entry in self.homes.iterdir() if entry.is_dir()]

    def test_they_are_removed_at_the_next_start(self):
        left = self.kill_both()
        self.assertEqual(len(left), 1)
        (left[0] / "deep" / "er").mkdir(parents=True)
        (left[0] / "file").write_text("x")
        # It finds nothing left behind, or it fails.
        run = self.arena("match", *player(zoo("decent")), "builtin:perfect", "--env", "clean",
                         "--games", 2, "--position", "nim:3,4,5", "--jsonl", "-")
        self.assert_played(run, 2)

    def test_those_of_a_running_arena_stay(self):
        other = self.hang()
        before = sorted(self.homes.iterdir())
        run = self.start(ARENA, "match", *player(zoo("decent")), "builtin:perfect", "--env",
                         "clean", "--games", 2, "--position", "nim:3,4,5")
        self.end_of(run, 0)
        self.assertEqual(sorted(self.homes.iterdir()), before)
        other.terminate()
        other.wait(PATIENCE)

    def test_a_link_in_place_of_a_home_is_removed(self):
        kept = self.folder / "kept"
        kept.mkdir()
        (kept / "file").write_text("x")
        script = ("import os, sys; home = os.environ['HOME']; os.chdir('/'); os.rmdir(home); "
                  f"os.symlink({str(kept)!r}, home); sys.exit(1)")
        self.arena("match", *player(shlex.join([sys.executable, "-c", script])),
                   "builtin:perfect", "--env", "clean", "--games", 2, status=3)
        self.assertEqual((kept / "file").read_text(), "x")
