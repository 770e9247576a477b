"""nim-arena serve --clinic: whoever connects is served at once, as often as it connects."""
import contextlib

from serving import *


class Clinic(ServeTest):
    def test_whoever_connects_plays_at_once_as_often_as_it_connects(self):
        secrets = {name: self.token(name) for name in ("Ann", "Bob")}
        address = self.serve("--clinic")
        ann = self.bot(address).join(secrets["Ann"]).play()
        self.await_games(2)
        self.bot(address).join(secrets["Bob"]).play()
        self.await_games(4)
        ann.close()
        self.said.until("Ann has gone")
        self.bot(address).join(secrets["Ann"]).play()
        self.await_games(6)
        self.stop()
        with contextlib.closing(sqlite3.connect(self.record)) as record:
            played = record.execute("SELECT DISTINCT round, player1, player2 FROM pair").fetchall()
        self.assertEqual(played, [(1, 1, 0), (2, 2, 0), (3, 1, 0)])

    def test_a_resumed_clinic_serves_who_comes(self):
        secret = self.token("Ann")
        self.bot(self.serve("--clinic")).join(secret).play()
        self.await_games(2)
        self.stop()
        self.bot(self.serve("--clinic")).join(secret).play()
        self.await_games(4)
        self.stop()

    def test_options_that_make_no_clinic(self):
        for words, error in ((("--format", "swiss"), "expected --clinic or --format, not both"),
                             (("--player", "cmd=builtin:random", "--player", "cmd=builtin:perfect"),
                              "--clinic: read 2 players, expected one, whom all others meet")):
            ended = self.arena("serve", "--clinic", "--listen", "127.0.0.1:0", "--tokens", "t", *words)
            self.assertIn(error, ended.err.decode())
            self.assertEqual(ended.status, 2)


if __name__ == "__main__":
    unittest.main()
