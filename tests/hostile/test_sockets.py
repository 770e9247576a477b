"""Attacks on a server by clients that dial in, while honest bots play on it."""
import resource
import struct

from hostile import *
from serving import *

# Bytes of the arena's memory for each connection; sanitizers need more.
MEMORY = (256 if os.environ.get("NIMARENA_SANITIZE") else 16) * 1024


class Sockets(ServeTest):
    def honest_play(self, *options):
        """A server with two honest bots that never stop playing."""
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        address = self.serve(*options)
        for secret in secrets:
            self.bot(address).join(secret).play()
        self.await_games(2)
        return address

    def assert_they_play_on(self):
        played = len(self.games())
        self.await_games(played + 4)
        self.assertEqual({reason for _, reason in self.games()}, {"no-moves"})

    def honest_games(self):
        """How the games between Ann and Bob ended."""
        return self.recorded("""
            SELECT reason FROM game JOIN pair ON pair.id = pair
                JOIN entrant one ON one.number = player1 JOIN entrant two ON two.number = player2
            WHERE 'Zed' NOT IN (one.name, two.name)""")

    def memory(self):
        """Resident bytes of the server."""
        text = pathlib.Path(f"/proc/{self.server.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) * 1024

    def test_ten_thousand_silent_connections(self):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        number = 10_000 if most == resource.RLIM_INFINITY else min(10_000, most - 500)
        address = self.honest_play("--unproven", number + 1, "--handshake", 600_000)
        empty = self.memory()
        crowd = [socket.create_connection(address, timeout=PATIENCE) for _ in range(number)]
        try:
            for silent in crowd:
                self.assertEqual(silent.recv(4), b"ugi\n")
            self.assertLess((self.memory() - empty) / number, MEMORY)
            self.assert_they_play_on()
        finally:
            for silent in crowd:
                silent.close()
        self.assert_they_play_on()
        self.stop()

    def test_a_bot_that_resets_each_game_and_returns_in_time(self):
        """The others play meanwhile, and do not wait for it."""
        secret = self.token("Zed")
        address = self.honest_play("--absence", 600_000)
        resets = queue.Queue()
        stopped = threading.Event()
        self.addCleanup(stopped.set)

        def come_and_go():
            while not stopped.is_set():
                bot = Bot(address).join(secret)
                try:
                    bot.play_until("uginewgame")
                    linger = struct.pack("ii", 1, 0)  # closed by a reset
                    bot.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                except OSError:
                    pass
                bot.close()
                resets.put(bot)

        threading.Thread(target=come_and_go, daemon=True).start()
        for _ in range(3):
            resets.get(timeout=PATIENCE)
        self.wait_until(lambda: len(self.honest_games()) >= 20)
        stopped.set()
        self.assertEqual({reason for reason, in self.honest_games()}, {"no-moves"})
        self.stop()

    def test_a_pipe_in_place_of_the_tokens(self):
        pipe = self.fifo("pipe")
        process = self.start(ARENA, "serve", "--listen", "127.0.0.1:0", "--tokens", pipe, "--record",
                             self.record)
        self.assertIn("expected a regular file", self.end_of(process, 2).report())
        address = self.honest_play()
        os.rename(pipe, self.tokens)
        liar = self.bot(address).join("0" * 32)
        self.assertRegex(liar.line(), "^refused token")
        self.assert_they_play_on()
        self.stop()

    def test_tokens_that_others_may_write(self):
        self.token("Ann")
        self.tokens.chmod(0o666)
        self.serve()
        self.said.until("^warning: .*may be written by others than its owner")
        self.stop()

    def test_a_thousand_wrong_tokens(self):
        address = self.honest_play("--unproven", 1001)
        liars = [self.bot(address) for _ in range(1000)]
        for liar in liars:
            liar.join("%032x" % id(liar))
        for liar in liars:
            self.assertRegex(liar.line(), "^refused token: no player here has this one")
        self.assert_they_play_on()
        self.stop()

    def test_garbage_instead_of_tls(self):
        cert, key = self.tls_certificate()
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        address = self.serve("--tls", f"{cert},{key}")
        for n in range(100):
            garbage = socket.create_connection(address, timeout=PATIENCE)
            garbage.sendall(bytes((7 * n + k * k) % 256 for k in range(2000)))
            self.addCleanup(garbage.close)
        context = ssl.create_default_context(cafile=cert)
        for secret in secrets:
            bot = Bot(("localhost", address[1]), context)
            self.addCleanup(bot.close)
            bot.join(secret).play()
        self.assert_they_play_on()
        self.stop()

    def test_a_thousand_that_stall_in_the_tls_handshake(self):
        cert, key = self.tls_certificate()
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        address = self.serve("--tls", f"{cert},{key}", "--unproven", 1010, "--handshake", 600_000,
                             "--movetime", PATIENCE * 1000)
        context = ssl.create_default_context(cafile=cert)

        def join(secret):
            bot = Bot(("localhost", address[1]), context)
            self.addCleanup(bot.close)
            return bot.join(secret).play()

        join(secrets[0])
        # Each makes the server compute its part of the handshake, and then stays silent.
        hello = ssl.MemoryBIO()
        client = context.wrap_bio(ssl.MemoryBIO(), hello, server_hostname="localhost")
        self.assertRaises(ssl.SSLWantReadError, client.do_handshake)
        first = hello.read()
        crowd = [socket.create_connection(address, timeout=PATIENCE) for _ in range(1000)]
        try:
            for stalling in crowd:
                stalling.sendall(first)
            join(secrets[1])
            self.await_games(4)
            for stalling in crowd:
                self.assertEqual(len(stalling.recv(1)), 1, "the handshake goes on")
            self.assert_they_play_on()
        finally:
            for stalling in crowd:
                stalling.close()
        self.stop()

    def test_a_peer_that_reads_single_bytes(self):
        slow = self.token("Slow")
        address = self.honest_play("--handshake", 2000)
        reader = self.bot(address)
        reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        heard = b""
        while byte := reader.socket.recv(1):
            heard += byte
            time.sleep(0.1)
            if heard == b"ugi\n":
                reader.say(f"id token {slow}")
        self.assertRegex(heard, rb"^ugi\nrefused handshake: no 'ugiok' within 2000 ms, read (nothing|'id token \(not shown\)')\n$")
        self.assert_they_play_on()
        self.stop()

    VANISHING = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as s:
    f = s.makefile("rw")
    for line in f:
        word = line.split()[0]
        if word == "ugi":
            print("id token " + sys.argv[3] + "\\nugiok", file=f, flush=True)
        elif word == "isready":
            print("readyok", file=f, flush=True)
            print("ready", flush=True)
        elif word == "go":
            print("asked", flush=True)
"""

    def vanish(self, word, *options):
        """A bot whose link goes down once it has printed `word`."""
        name, here = self.network()
        secrets = [self.token(each) for each in ("Ann", "Bob", "Gone")]
        _, port = self.serve("--listen", here + ":0", "--insecure", "--absence", 1, *options)
        far = self.start("ip", "netns", "exec", name, sys.executable, "-c", self.VANISHING, here,
                         port, secrets[2])
        said = Lines(far.stdout)
        if word == "asked":
            for secret in secrets[:2]:
                self.bot((here, port)).join(secret).play()
        said.until(word)
        subprocess.run(["ip", "-n", name, "link", "set", "peer", "down"], check=True)
        return (here, port), secrets

    def test_a_peer_that_vanishes_in_a_game(self):
        self.vanish("asked", "--movetime", 1000)
        self.wait_until(lambda: "timeout" in {reason for _, reason in self.games()})
        played = len(self.games())
        self.await_games(played + 4)
        self.stop()

    def test_a_peer_that_vanishes_while_it_waits(self):
        self.vanish("ready", "--idle", 300)
        self.said.until("Gone has gone: it did not answer")
        self.stop()
