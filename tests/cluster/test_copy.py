"""Records copied between SQLite and PostgreSQL."""
import contextlib
import sqlite3

from cluster import *


class Copy(ClusterTest):
    def run_arena(self, *words):
        run = self.arena(*words)
        self.assertEqual(run.status, 0, run.report())
        return run.out

    def test_a_record_comes_back_as_it_was(self):
        server = self.postgres()
        first, second = self.folder / "first.db", self.folder / "second.db"
        self.run_arena("tournament", *player("builtin:perfect", name="Ann"),
                       *player("builtin:random", name="Bob"),
                       *player(zoo("answers", "bestmove 9=9"), name="Bad"), "--games", 40,
                       "--seed", 1, "--quiet", "--faults", "strikes=3", "--record", first)
        self.run_arena("copy", first, server.url())
        self.run_arena("copy", server.url(), second)
        for form in ("pgn", "jsonl", "csv", "grades", "starts"):
            exports = [self.run_arena("export", record, "--format", form)
                       for record in (first, server.url(), second)]
            self.assertEqual(exports, exports[:1] * 3)
        dumps = []
        for record in (first, second):
            with contextlib.closing(sqlite3.connect(record)) as connection:
                dumps.append(list(connection.iterdump()))
        self.assertEqual(*dumps)
        refused = self.arena("copy", first, server.url())
        self.assertEqual(refused.status, 1)
        self.assertIn("it is not empty, expected a new record", refused.report())
