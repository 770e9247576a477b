"""Attacks on `nim-engine --listen` by one of its sessions, while another asks."""
import resource

from hostile import *
import serving

# Each move is judged by eight million bindings that are no moves.
COSTLY = "rules{n->n-1:x*y*z=7654321;n->n-1:n>0}:199"

# MiB that a server with a Hash of 64 may take; sanitizers need more.
MEMORY = 2048 if os.environ.get("NIMARENA_SANITIZE") else 160


def with_passes(heaps):
    return "pass{0.77}:(" + ",".join(map(str, heaps)) + ",3)"


class Client(serving.Bot):
    def say(self, *lines):
        super().say("\n".join(lines))

    def ask(self, *lines):
        self.say(*lines)
        return self.line()


class Engine(ArenaTest):
    def setUp(self):
        super().setUp()
        self.server = self.start(ENGINE, "--listen", "127.0.0.1:0", "--hash", "64")
        port = int(self.server.stdout.readline().decode().rsplit(":", 1)[1])
        self.address = "127.0.0.1", port
        self.bad, self.good = (Client(self.address) for _ in range(2))
        self.addCleanup(self.bad.close)
        self.addCleanup(self.good.close)

    def test_a_session_that_takes_all_memory(self):
        self.assertEqual(self.bad.ask("setoption name Hash value 1", "isready"), "readyok")
        self.assertRegex(self.good.ask("setoption name QueryTime value 60000",
                                       "position fen wythoff:(900,1000)", "query nimber"),
                         r"^response \d+$")

    def test_sessions_that_list_followers_without_end(self):
        """Each ends when the memory is used up, long before its time."""
        bad = [Client(self.address) for _ in range(4)]
        for client in bad:
            self.addCleanup(client.close)
            client.say("position fen pass{0.77}:(100000000,100)",
                       f"go movetime {10 * PATIENCE * 1000}")
        for client in bad:
            while not (line := client.line()).startswith("bestmove"):
                self.assertTrue(line.startswith("info "), line)
        status = pathlib.Path(f"/proc/{self.server.pid}/status").read_text()
        self.assertLess(int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) >> 10, MEMORY)
        self.assertEqual(self.good.ask("position fen nim:3,4,5", "query nimber"), "response 2")

    def test_moves_among_many_heaps_with_passes(self):
        """Each splits the largest. With a look at all heaps for each heap, one takes a minute."""
        heaps = list(range(1, 80_001))
        self.bad.say(f"position fen {with_passes(heaps)}")
        for _ in range(30):
            heaps.append(heaps.pop() - 2 - 1)
            heaps.insert(0, 1)
            heaps.sort()
            self.bad.say("moves 1=" + with_passes(heaps).partition(":")[2])
        self.assertEqual(self.bad.ask("query fen"), "response " + with_passes(heaps))

    def test_a_session_that_wants_more_than_the_server_has(self):
        self.assertEqual(self.bad.ask("setoption name Hash value 1048576"),
                         "info string error option Hash: read '1048576', expected a number from "
                         "1 to 64")
        self.good.say("ugi")
        options = [self.good.line() for _ in range(8)]
        self.assertIn("option name Hash type spin default 64 min 1 max 64", options)
        self.assertEqual(options[-1], "ugiok")

    def test_the_last_session_leaves_while_no_descriptor_is_left(self):
        for client in (self.bad, self.good):
            self.assertEqual(client.ask("isready"), "readyok")
        limit = resource.prlimit(self.server.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self.server.pid, resource.RLIMIT_NOFILE, (3, limit[1]))
        Client(self.address).close()  # takes the descriptor that accept() may have already
        for client in (self.bad, self.good):
            self.assertEqual(client.ask("quit"), "")
        waiting = Client(self.address)
        self.addCleanup(waiting.close)
        resource.prlimit(self.server.pid, resource.RLIMIT_NOFILE, limit)
        self.assertEqual(waiting.ask("isready"), "readyok")

    def test_a_history_that_takes_long_to_read(self):
        moves = " ".join(f"1={left}" for left in range(198, 195, -1))
        self.assertEqual(self.good.ask(f"position fen {COSTLY} moves {moves} 1=199", "isready",
                                       "query fen"), "readyok")
        self.assertTrue(self.good.line().startswith("info string error move '1=199'"))
        self.assertEqual(self.good.line(), "response nim:1,3,5,7")
