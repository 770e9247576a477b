"""Players over TCP: those that the arena dials, and those that dial in."""
import socket
import struct

from arena import *

ADDRESS = re.compile(rb"127\.0\.0\.1:(\d+)")


class Sockets(ArenaTest):
    def address_of(self, stream):
        """The first address in the text."""
        while line := stream.readline():
            if found := ADDRESS.search(line):
                return found[0].decode()
        self.fail("no address")

    def test_dials_one_engine_many_times_at_once(self):
        address = "tcp://" + self.address_of(self.start(ENGINE, "--listen", "127.0.0.1:0").stdout)
        # Not arena(): the engine, which the test also started, keeps running.
        process = self.start(ARENA, "match", address, address, "--strict", "--concurrency", 4, "--games", 16,
                             "--position", "nim:3,4,5", "--jsonl", "-")
        games = self.assert_played(self.end_of(process), 16)
        self.assertEqual({game["winner"] for game in games}, {"p1"})

    def test_waits_for_a_bot_that_dials_in(self):
        process = self.start(ARENA, "match", "listen://127.0.0.1:0", "builtin:perfect",
                             "--position", "nim:3,4,5",
                             "--games", 4, "--concurrency", 1, "--jsonl", "-", "--strict")
        address = self.address_of(process.stderr)
        bot = self.start(RANDOM, "--connect", address)
        self.assert_played(self.end_of(process), 4)
        self.assertEqual(bot.wait(PATIENCE), 0, "it was told to quit")

    def test_waits_beyond_loopback_only_with_the_option(self):
        everywhere = "listen://0.0.0.0:0"
        for words in (("match", everywhere, "builtin:random"), ("check", everywhere),
                      ("tournament", *player(everywhere), *GOOD)):
            run = self.arena(*words, status=2)
            self.assertIn("listen://0.0.0.0:0 is open to the network", run.report())
            process = self.start(ARENA, *words, "--insecure")
            self.assertIn(b"listening on 0.0.0.0:", process.stdout.readline())
            process.kill()

    def test_reset_loses(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            process, peer = self.match_with_a_peer(server)
            # Closing without lingering resets the connection.
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.close()
            line = json.loads(process.stdout.readline())
            self.assertEqual((line["reason"], line["winner"]), ("disconnected", "p2"))
            self.assertNotIn("exit", line)

    def test_bestmove_and_close_at_once_counts(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            process, peer = self.match_with_a_peer(server)
            peer.sendall(b"bestmove 1=0\n")
            peer.close()
            line = json.loads(process.stdout.readline())
            self.assertEqual((line["reason"], line["winner"], line["moves"]),
                             ("no-moves", "p1", ["1=0"]))

    def match_with_a_peer(self, server):
        """A match that has dialled `server`, and the peer that is asked for a move."""
        address = "tcp://127.0.0.1:%d" % server.getsockname()[1]
        process = self.start(ARENA, "match", address, "builtin:perfect", "--position", "nim:1",
                             "--games", 2, "--concurrency", 1, "--jsonl", "-")
        peer, _ = server.accept()
        with peer.makefile("rb") as lines:
            while not (line := lines.readline()).startswith(b"go "):
                if line == b"ugi\n":
                    peer.sendall(b"id name Peer\nugiok\n")
                if line == b"isready\n":
                    peer.sendall(b"readyok\n")
        return process, peer
