"""Damaged records, records of strangers, and two processes on one record."""
import http.client
import random
import shutil
import struct

from hostile import *
from serving import web_address

FORMATS = ("jsonl", "pgn", "csv", "grades", "starts")

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
# A change to a record that makes it no record, and the part that is named.
SCHEMAS = {
    "a trigger": (["CREATE TRIGGER t AFTER INSERT ON annotation BEGIN DELETE FROM game; END"],
                  "trigger 't'"),
    "a view": ([f"CREATE VIEW v AS {ENDLESS} SELECT x FROM c"], "view 'v'"),
    "a virtual table": (["CREATE VIRTUAL TABLE f USING fts5(x)"], "table 'f"),
    "an index by an expression": (["CREATE INDEX i ON game (abs(event))"], "index 'i'"),
    "a column that is computed": (["ALTER TABLE entrant ADD COLUMN x TEXT AS (hex(spec))"],
                                  "table 'entrant'"),
    "a further column": (["ALTER TABLE round ADD COLUMN x INTEGER DEFAULT 1"],
                                  "table 'round'"),
    "a table that lacks": (["DROP TABLE strike"], "table 'strike'"),
}
TEXT = 65 << 20  # bytes, more than a text of a record may have


def endless_view(file, table):
    """Replaces a table by a view of its columns that never ends."""
    columns = [row[1] for row in file.execute(f"PRAGMA table_info({table})")]
    file.execute(f"DROP TABLE {table}")
    file.execute(f"CREATE VIEW {table} AS {ENDLESS} SELECT " +
                 ", ".join(f"x AS {column}" for column in columns) + " FROM c")


def endless_tree(path, table, depth=12):
    """Puts pages above the rows of a table: each refers to the one below a hundred times."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        root, = file.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?",
                             (table,)).fetchone()
    data = bytearray(path.read_bytes())
    size = struct.unpack(">H", data[16:18])[0]
    below = bytes(data[(root - 1) * size:root * size])
    assert below[0] == 13, "expected a table with one page"
    cells = 100
    for _ in range(depth):
        data += below
        child = len(data) // size
        cell = struct.pack(">I", child) + b"\x87\xff\xff\xff\x7f"  # the key is 2^31 - 1
        end = size - cells * len(cell)
        places = b"".join(struct.pack(">H", end + i * len(cell)) for i in range(cells))
        head = struct.pack(">BHHHBI", 5, 0, cells, end, 0, child) + places
        below = head + bytes(end - len(head)) + cell * cells
    data[(root - 1) * size:root * size] = below
    data[28:32] = struct.pack(">I", len(data) // size)
    data[92:96] = data[24:28]
    path.write_bytes(data)


def journal_that_deletes(victim):
    """A rollback journal of SQLite that restores nothing, and names a file to be deleted."""
    name = bytes(victim)
    magic = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    head = magic + struct.pack(">IIIII", 0, 1, 1, 512, 4096)
    pending = 0x40000000 // 4096 + 1
    return (head + bytes(512 - len(head)) + struct.pack(">I", pending) + name +
            struct.pack(">II", len(name), sum(name)) + magic)


class RecordTest(ArenaTest):
    played = None  # the bytes of a record, played once

    def setUp(self):
        super().setUp()
        self.whole = self.folder / "whole.db"
        self.record = self.folder / "record.db"
        if RecordTest.played is None:
            self.play(self.whole)
            RecordTest.played = self.whole.read_bytes()
        self.whole.write_bytes(RecordTest.played)

    def words(self, record, *options):
        bots = [word for name in ("Ann", "Bob", "Cid")
                for word in player("builtin:random", name=name)]
        return ["tournament", *bots, "--record", record, "--seed", 1, "--quiet", "--analysis", 0,
                "--position", "nim:3,4,5", *options]

    def play(self, record, *options):
        self.arena(*self.words(record, *options), status=0)

    @contextlib.contextmanager
    def edited(self, record=None):
        """A copy of the (whole) record, to be changed as nim-arena would not."""
        shutil.copy(record or self.whole, self.record)
        with contextlib.closing(sqlite3.connect(self.record)) as file:
            file.execute("PRAGMA ignore_check_constraints = ON")
            file.execute("PRAGMA foreign_keys = OFF")
            file.execute("PRAGMA synchronous = OFF")
            file.execute("BEGIN")
            with file:
                yield file

    def damage(self, sql):
        with self.edited() as file:
            file.execute(sql)

    def report(self, status=None):
        """The command that reads all of a record."""
        return self.arena("report", self.record, "-o", self.folder / "pages", status=status)

    def showing(self):
        """The commands that show a record, each with its run."""
        commands = [("games", self.record), ("standings", self.record),
                    ("show", self.record, "1.1.1.1.1.1"),
                    ("report", self.record, "-o", self.folder / "pages"),
                    *(("export", self.record, "--format", name) for name in FORMATS)]
        return [(command, self.arena(*command)) for command in commands]


class Records(RecordTest):
    """Damaged ones."""

    def test_the_rest_is_shown(self):
        for sql, unread in (("UPDATE pair SET player1 = 99999 WHERE id = 1", set()),
                            ("UPDATE round SET byes = 'x' WHERE round = 1",
                             {"games", "show", "jsonl", "pgn"})):
            self.damage(sql)
            runs = {}
            for command, run in self.showing():
                runs[command[0] + str(command[-1])] = run
                with self.subTest(sql=sql, command=command[0]):
                    reads_it = unread.isdisjoint((command[0], command[-1]))
                    self.assertEqual(run.status, 7 if reads_it else 0, run.report())
            whole = 6 if unread else 4
            self.assertEqual(len(runs[f"games{self.record}"].out.splitlines()), whole + 1)
            self.assertEqual(len(runs["exportjsonl"].out.splitlines()), whole)

    def test_a_damaged_record_gets_no_more_games(self):
        self.damage("UPDATE pair SET player1 = 99999 WHERE id = 1")
        run = self.arena(*self.words(self.record), status=7)
        self.assertIn("has player 99999, expected 0..2", run.report())

    def test_flipped_bytes_crash_nothing(self):
        draw = random.Random(14)
        whole = self.whole.read_bytes()
        for trial in range(12):
            bytes_ = bytearray(whole)
            for _ in range(1 + trial):
                bytes_[draw.randrange(100, len(bytes_))] ^= 1 << draw.randrange(8)
            self.record.write_bytes(bytes_)
            with self.subTest(trial=trial):
                run = self.report()
                self.assertIn(run.status, (0, 1, 7), run.report())


class Strangers(RecordTest):
    """Files of strangers."""

    def stranger(self):
        shutil.copy(self.whole, self.record)
        victim = self.folder / "victim"
        victim.write_text("precious\n")
        return victim

    def assert_refused(self, words, of_all=False):
        """A command that reads the record, and one that plays into it, say `words`; or all of them."""
        commands = [("games", self.record), ("tournament", *self.words(self.record)[1:])]
        if of_all:
            commands += [("match", *player("builtin:random"), *player("builtin:random"),
                          "--record", self.record, "--games", 2, "--quiet"),
                         ("copy", self.record, self.folder / "copy.db"),
                         ("replay", self.record, "1.1.1.1.1.1"),
                         ("web", "--listen", "127.0.0.1:0", "--record", self.record)]
        runs = [(command, self.arena(*command)) for command in commands]
        for command, run in runs + (self.showing()[1:] if of_all else []):
            with self.subTest(command=command[0]):
                self.assertIn(run.status, (1, 7), run.report())
                self.assertIn(words, run.report())

    def test_a_journal_beside_a_record_is_refused(self):
        victim = self.stranger()
        journal = pathlib.Path(f"{self.record}-journal")
        for link in (False, True):
            if link:
                journal.unlink()
                journal.symlink_to(self.folder / "elsewhere")
                (self.folder / "elsewhere").write_bytes(journal_that_deletes(victim))
            else:
                journal.write_bytes(journal_that_deletes(victim))
            self.assert_refused("lies beside the record", of_all=not link)
            self.assertTrue(victim.exists())

    def test_links_in_place_of_the_log_are_refused(self):
        for suffix in ("-wal", "-shm"):
            victim = self.stranger()
            beside = pathlib.Path(f"{self.record}{suffix}")
            for make in (beside.symlink_to, beside.hardlink_to):
                make(victim)
                with self.subTest(suffix=suffix, link=make.__name__):
                    self.assert_refused("is a link or no file")
                    self.assertEqual(victim.read_text(), "precious\n")
                beside.unlink()

    def test_what_is_no_lock_is_not_overwritten(self):
        victim = self.stranger()
        lock = pathlib.Path(f"{self.record}-lock")
        for make in (lock.symlink_to, lock.hardlink_to):
            make(victim)
            for command in (("report", self.record, "-o", self.folder / "pages"),
                            self.words(self.record)):
                with self.subTest(link=make.__name__, command=command[0]):
                    run = self.arena(*command)
                    self.assertIn("is not a lock of nim-arena", run.out.decode() + run.report())
                    self.assertEqual(victim.read_text(), "precious\n")
            lock.unlink()
        lock.write_text("\x1b[2Jmine")
        run = self.arena(*self.words(self.record))
        self.assertIn("is not a lock of nim-arena", run.report())
        self.assertEqual(lock.read_text(), "\x1b[2Jmine")
        # That of a process that was killed is taken over.
        lock.write_text("4194304")
        self.assertEqual(self.arena(*self.words(self.record)).status, 0)
        self.assertFalse(lock.exists())

    def test_what_is_no_file_is_refused(self):
        os.mkfifo(self.record)
        run = self.arena("games", self.record, status=1)
        self.assertIn("is no file", run.report())

    def test_another_schema_is_refused(self):
        for name, (changes, part) in SCHEMAS.items():
            with self.edited() as file:
                for sql in changes:
                    file.execute(sql)
            with self.subTest(schema=name):
                run = self.arena("games", self.record, status=1)
                self.assertIn("read another schema at " + part, run.report())

    def test_no_view_runs(self):
        for table in ("game", "configuration", "entrant"):
            with self.edited() as file:
                endless_view(file, table)
            with self.subTest(table=table):
                self.assert_refused("read another schema at", of_all=table == "game")

    def test_a_large_schema_is_refused(self):
        with self.edited() as file:
            for i in range(2000):
                file.execute(f"CREATE TABLE t{i} (x)")
        self.assert_refused("read a larger schema")
        with self.edited() as file:
            file.execute(f"CREATE TABLE t (x /* {'-' * 900_000} */)")
        self.assert_refused("read a larger schema")

    def test_a_tree_without_end_is_read_to_an_end(self):
        for table in ("entrant", "round", "pair", "game"):
            shutil.copy(self.whole, self.record)
            endless_tree(self.record, table)
            for run in (self.report(), self.arena(*self.words(self.record))):
                with self.subTest(table=table):
                    self.assertEqual(run.status, 7, run.report())
                    self.assertIn("is damaged", run.report())

    def test_a_text_that_is_too_long_is_refused(self):
        for sql in ("UPDATE game SET p1_stderr = ?",
                    "UPDATE configuration SET value = ? WHERE name = 'format'"):
            with self.edited() as file:
                table = sql.split()[1]
                row = "" if "WHERE" in sql else f" WHERE rowid = (SELECT max(rowid) FROM {table})"
                file.execute(sql + row, ("x" * TEXT,))
            with self.subTest(sql=sql):
                run = self.report(status=7)
                self.assertIn("a text of more than 64 MiB", run.report())

    def test_a_note_of_another_game_is_not_used(self):
        # The player to move throws a won position away, long after the end of the game.
        note = "1 " + "P" * 200_000 + "xx" + " N"
        insert = "INSERT OR REPLACE INTO annotation SELECT event, ? FROM game"
        with self.edited() as file:
            file.execute(insert, (note,))
        for command in (("games", self.record, "--thrown"), ("show", self.record, "1.1.1.1.1.1"),
                        ("export", self.record, "--format", "grades")):
            run = self.arena(*command)
            with self.subTest(command=command[0]):
                self.assertEqual(run.status, 0, run.report())
                self.assertNotIn(b"200001", run.out)
        played = self.folder / "match.db"
        for record in (played, self.record):  # the second time, all games are there
            run = self.arena("match", *player("builtin:random"), *player("builtin:random"),
                             "--record", record, "--games", 4, "--position", "nim:3,4,5",
                             "--seed", 1, status=0)
            with self.edited(played) as file:
                file.execute(insert, (note,))

    def test_moves_against_the_rules_are_shown(self):
        path = ";".join(f"a{i}->a{i + 1}" for i in range(70))
        game = f"node-kayles{{{path}}}:5"
        for position, move in ((game, "1=1"), (f"arc-{game[5:]}", "1=1"),
                               (f"hackenbush{{ground->a0;{path}}}:5", "1=1"),
                               ("node-kayles{a->b}:3", "1=(1,2)"), ("cram:x", "1=3")):
            with self.edited() as file:
                file.execute("UPDATE pair SET position = ?", (position,))
                file.execute("UPDATE game SET moves = ?, times = x'00'", (move,))
            with self.subTest(position=position):
                self.arena("report", self.record, "-o", self.folder / "pages",
                           "--pages", "all", "--analysis", 0, status=0)

    def test_missing_players_are_not_filled_in_without_end(self):
        with self.edited() as file:
            file.executemany("INSERT INTO entrant VALUES (?, ?, ?, '', 1)",
                             [(3 + 900 * i, 10**6 + i, f"p{i}") for i in range(1, 1000)])
        self.arena("report", self.record, "-o", self.folder / "pages", status=7)
        self.assertLess(len(list((self.folder / "pages").iterdir())), 2000)


class Pages(RecordTest):
    def test_the_end_is_not_held_up_by_a_reading(self):
        shutil.copy(self.whole, self.record)
        endless_tree(self.record, "game")
        process = self.start(ARENA, "web", "--listen", "127.0.0.1:0", "--record", self.record)
        client = http.client.HTTPConnection(*web_address(process), timeout=PATIENCE)
        client.request("GET", "/record/record/")
        self.addCleanup(client.close)
        # Until the reading has begun, unless it is over already.
        log = pathlib.Path(f"{self.record}-wal")
        self.wait_until(lambda: log.exists() or select.select([client.sock], [], [], 0)[0])
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE), 143)


class TwoProcesses(RecordTest):
    def playing(self, record):
        """A tournament that does not end, once it has recorded games."""
        process = self.start(ARENA, *self.words(record, "--games", 1_000_000))
        self.wait_until(lambda: games_in(record) > 0)
        return process

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
        run = self.end_of(self.start(ARENA, *words))
        return run.status, run.report()
