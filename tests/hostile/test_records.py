"""Damaged records, and two processes on one record."""
import pathlib
import random
import shutil
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

from arena import *

FORMATS = ("pgn", "jsonl", "csv", "grades", "starts")
# The damage to the record, and what must be named then.
DAMAGES = [
    ("DELETE FROM entrant", "names players|has players"),
    ("DELETE FROM entrant WHERE number = 1", "player 2 is missing"),
    ("DELETE FROM entrant WHERE number = 2", "has player 2, expected 0..1"),
    ("UPDATE entrant SET number = 9000000000 WHERE number = 0", "player 1 is missing"),
    ("UPDATE entrant SET first_round = -1 WHERE number = 0", "first round -1"),
    ("UPDATE entrant SET event = 999 WHERE number = 0", "has event"),
    ("UPDATE pair SET player1 = 99999", "has player 99999, expected 0..2"),
    ("UPDATE pair SET player1 = -5", "has player -5, expected 0..2"),
    ("UPDATE pair SET player1 = player2 WHERE id = 1", "has one player for both seats"),
    ("UPDATE pair SET player1 = 4294967296", "has player 4294967296"),
    ("UPDATE pair SET stage = 99999999999 WHERE id = 1", "a key with the part 99999999999"),
    ("UPDATE pair SET position = 'nim:3,' WHERE id = 1", "has the position 'nim:3,'"),
    ("UPDATE pair SET position = 'nim:003' WHERE id = 1", "has the position 'nim:003', expected"),
    ("DELETE FROM pair WHERE id = 1", "table game: row [0-9]+ refers to a row of pair"),
    ("DELETE FROM round", "is of a round that was not planned before"),
    ("UPDATE round SET byes = '7' WHERE round = 1", "has the byes '7'"),
    ("UPDATE round SET byes = 'x' WHERE round = 1", "has the byes 'x'"),
    ("UPDATE round SET round = -3 WHERE round = 1", "has round -3"),
    ("UPDATE round SET spent_ms = -3 WHERE round = 1", "has time spent -3"),
    ("UPDATE game SET winner = 7 WHERE leg = 1", "has seat 7|has winner 7"),
    ("UPDATE game SET leg = 3 WHERE leg = 2", "has leg 3"),
    ("UPDATE game SET reason = 'boredom' WHERE leg = 1", "an ending of no known name, 'boredom'"),
    ("UPDATE game SET winner = NULL WHERE leg = 1", "has no winner, and ended by no-moves"),
    ("UPDATE game SET reason = 'timeout' WHERE leg = 1", "a fault that does not fit its ending"),
    ("UPDATE game SET times = x'ffffffffffffffffff' WHERE leg = 1", "times that do not fit"),
    ("UPDATE game SET times = x'' WHERE leg = 1", "times that do not fit"),
    ("UPDATE game SET p1_cpu = -1 WHERE leg = 1", "has CPU time -1"),
    ("UPDATE game SET p1_off_turn = 9223372036854775807 WHERE leg = 1", "has CPU time off turn"),
    ("UPDATE game SET started = 9223372036854775807 WHERE leg = 1", "has time of its start"),
    ("UPDATE game SET p1_seed = -1 WHERE leg = 1", "has seed -1"),
    ("UPDATE game SET event = -event", "has event -[0-9]+, expected 1"),
    ("UPDATE game SET p1_build = 77 WHERE leg = 1", "refers to a row of build"),
]


class Records(ArenaTest):
    def setUp(self):
        super().setUp()
        self.whole = self.folder / "whole.db"
        self.play(self.whole)
        self.record = self.folder / "record.db"

    def words(self, record, *options):
        bots = [word for name in ("Ann", "Bob", "Cid")
                for word in player("builtin:random", name=name)]
        return ["tournament", *bots, "--record", record, "--seed", 1, "--quiet", "--analysis", 0,
                "--position", "nim:3,4,5", *options]

    def play(self, record, *options):
        run = self.arena(*self.words(record, *options))
        self.assertEqual(run.status, 0, run.report())

    def damage(self, sql):
        shutil.copy(self.whole, self.record)
        file = sqlite3.connect(self.record)
        file.execute("PRAGMA ignore_check_constraints = ON")
        file.execute("PRAGMA foreign_keys = OFF")
        file.execute(sql)
        file.commit()
        file.close()

    def showing(self, most=None):
        """The commands that show a record, each with its run."""
        commands = [("games", self.record), ("standings", self.record),
                    ("show", self.record, "1.1.1.1.1.1"),
                    ("report", self.record, "-o", self.folder / "pages"),
                    *(("export", self.record, "--format", name) for name in FORMATS)]
        return [(command, self.arena(*command)) for command in commands[:most]]

    def test_damage_is_named_and_the_rest_is_shown(self):
        for sql, named in DAMAGES:
            self.damage(sql)
            said = ""
            for command, run in self.showing():
                with self.subTest(sql=sql, command=command[0]):
                    # Not every command reads the damaged part.
                    self.assertEqual(run.status, 7 if "is damaged" in run.report() else 0,
                                     run.report())
                    said += run.report()
            with self.subTest(sql=sql):
                self.assertRegex(said, named)

    def test_the_rest_is_shown(self):
        self.damage("UPDATE pair SET player1 = 99999 WHERE id = 1")
        runs = {command[0] + str(command[-1]): run for command, run in self.showing()}
        self.assertEqual(len(runs[f"games{self.record}"].out.splitlines()), 4 + 1)
        self.assertEqual(len(runs["exportjsonl"].out.splitlines()), 4)

    def test_a_damaged_record_gets_no_more_games(self):
        self.damage("UPDATE pair SET player1 = 99999 WHERE id = 1")
        run = self.arena(*self.words(self.record))
        self.assertEqual(run.status, 7, run.report())
        self.assertIn("has player 99999, expected 0..2", run.report())

    def test_flipped_bytes_crash_nothing(self):
        draw = random.Random(14)
        whole = self.whole.read_bytes()
        for trial in range(12):
            bytes_ = bytearray(whole)
            for _ in range(1 + trial):
                bytes_[draw.randrange(100, len(bytes_))] ^= 1 << draw.randrange(8)
            self.record.write_bytes(bytes_)
            for command, run in self.showing(5):
                with self.subTest(trial=trial, command=command[0]):
                    self.assertIn(run.status, (0, 1, 7), run.report())

    # ---- two processes ----

    def playing(self, record):
        """A tournament that does not end, once it has recorded games."""
        process = self.start(ARENA, *self.words(record, "--games", 1_000_000))
        self.wait_until(lambda: record.exists() and self.games(record) > 0)
        return process

    @staticmethod
    def games(record):
        try:
            with sqlite3.connect(f"file:{record}?mode=ro", uri=True) as file:
                return file.execute("SELECT count(*) FROM game").fetchone()[0]
        except sqlite3.Error:  # not made yet
            return 0

    def assert_whole(self, record):
        with sqlite3.connect(record) as file:
            self.assertEqual(file.execute("PRAGMA integrity_check").fetchall(), [("ok",)])

    def test_a_second_process_by_a_hard_link_is_refused(self):
        process = self.playing(self.record)
        link = self.folder / "link.db"
        os.link(self.record, link)
        run = self.arena_beside(*self.words(link, "--games", 1_000_000))
        self.assertEqual(run[0], 7, run)
        self.assertIn("has 2 names (hard links)", run[1])
        os.unlink(link)
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
        self.assert_whole(self.record)

    def test_a_second_process_after_a_renaming_is_refused(self):
        process = self.playing(self.record)
        moved = self.folder / "moved.db"
        os.rename(self.record, moved)
        run = self.arena_beside(*self.words(moved, "--games", 1_000_000))
        self.assertEqual(run[0], 7, run)
        self.assertIn("plays into", run[1])
        self.assertIn("under another name", run[1])
        process.kill()
        process.wait(PATIENCE)

    def arena_beside(self, *words):
        process = self.start(ARENA, *words)
        _, err = process.communicate(timeout=PATIENCE)
        return process.returncode, err.decode()


if __name__ == "__main__":
    unittest.main()
