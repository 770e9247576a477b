"""--web of match, tournament and serve: the events sent to watchers, up to the end."""

from serving import *

WATCH = re.compile(r"^watch on https?://([0-9.]+):(\d+)/live$")


def state_of(event):
    return event["tournament"]["state"]


def here(event):
    return {player["name"]: player["here"] for player in event["players"]}


class Watcher:
    """Reads server-sent events."""

    def __init__(self, address, receive=None, context=None):
        self.socket = socket.socket()
        if receive:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(address)
        if context:
            self.socket = context.wrap_socket(self.socket)
        self.socket.sendall(b"GET /api/live HTTP/1.1\r\nHost: %s:%d\r\n\r\n"
                            % (address[0].encode(), address[1]))
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        while self.file.readline().strip():
            pass
        self.state = {"tournament": {"state": None}, "players": [], "finished": []}  # the last event

    def read(self):
        """The next event; None at the end."""
        try:
            for line in self.file:
                if line.startswith(b"data: "):
                    self.state = json.loads(line[6:])
                    return self.state
        except ConnectionError:
            pass
        return None

    def until(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition(self.state):
            if self.read() is None or time.monotonic() > deadline:
                raise AssertionError(f"not seen: {self.state}")
        return self.state

    def to_the_end(self):
        while self.read() is not None:
            pass
        return self.state

    def start(self):
        self.thread = threading.Thread(target=self.to_the_end, daemon=True)
        self.thread.start()
        return self

    def close(self):
        self.file.close()
        self.socket.close()


class Watching(ServeTest):
    def run_arena(self, *arguments):
        self.server = self.start(ARENA, *arguments, "--web", "127.0.0.1:0")
        self.said = Lines(self.server.stdout)
        return self.address()

    def address(self):
        found = self.said.until(WATCH)
        return found[1], int(found[2])

    def watcher(self, address, **options):
        watcher = Watcher(address, **options)
        self.addCleanup(watcher.close)
        self.assertEqual(watcher.status, 200)
        return watcher

    def get(self, address, path):
        with socket.create_connection(address, timeout=PATIENCE) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n"
                               "Connection: close\r\n\r\n".encode())
            head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
        return int(head.split()[1]), body.decode()

    def behind_the_gate(self, **keys):
        """A player at random that starts once the gate is open: then all watch."""
        return *player(f"sh -c ': <{self.gate()}; exec {RANDOM}'", **keys), "--startup", 600000

    def test_watchers_over_tls_see_the_end(self):
        cert, key = self.tls_certificate()
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        address = self.run_arena("match", "builtin:perfect", *self.behind_the_gate(), "--games", 50,
                                 "--web-tls", f"{cert},{key}")
        watchers = [self.watcher(address, context=context).start() for _ in range(10)]
        self.open_gate()
        self.assertEqual(self.server.wait(PATIENCE), 0)
        for watcher in watchers:
            watcher.thread.join(PATIENCE)
            self.assertTrue(state_of(watcher.state) == "over", watcher.state)

    def test_a_match_reports_the_mistakes(self):
        address = self.run_arena("match", "builtin:perfect", RANDOM, "--games", 10_000_000,
                                 "--position", "nim:3,4,5")
        state = self.watcher(address).until(
            lambda state: any(game["thrown"] for game in state["finished"]))
        self.assertEqual(state["tournament"]["format"], "match")
        self.assertEqual(here(state), {"perfect": None, "nim-random": None})
        # Of those that have been reviewed by then.
        thrown = [row for game in state["finished"] for row in game["thrown"] or []]
        self.assertTrue(thrown)
        for row in thrown:
            self.assertEqual(set(row), {"seat", "ply", "move", "words", "right", "right_words"})
        self.assertTrue(all(game["players"][row["seat"]] == 1
                            for game in state["finished"] for row in game["thrown"] or []))
        self.stop()

    def test_a_server_reports_its_players_and_games(self):
        secrets = [self.token(name) for name in ("Ann", "Bob")]
        where = self.serve("--web", "127.0.0.1:0", "--await", 2)
        watcher = self.watcher(self.address())
        watcher.until(lambda state: state_of(state) == "waiting")
        self.bot(where).join(secrets[0]).play()
        watcher.until(lambda state: here(state) == {"Ann": True})
        bob = self.bot(where).join(secrets[1]).play()
        watcher.until(lambda state: state_of(state) == "playing"
                      and len(state["finished"]) >= 4)
        bob.socket.shutdown(socket.SHUT_RDWR)
        watcher.until(lambda state: here(state) == {"Ann": True, "Bob": False})
        watcher.start()
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(PATIENCE)
        watcher.thread.join(PATIENCE)
        self.assertEqual(state_of(watcher.state), "over")

    def end_on_a_terminal(self, end):
        """What is said where the games end on a terminal with a watcher; end(process, watcher) is then called."""
        def watch(_, found):
            self.page = "127.0.0.1", int(found[1])
            self.seen = self.watcher(self.page)
            self.seen.read()
            self.open_gate()

        def see_the_end(match, _):
            self.seen.until(lambda state: state_of(state) == "over")
            self.assertEqual(self.get(self.page, "/live")[0], 200)
            end(match, self.seen)

        self.run_on_a_terminal("match", "builtin:perfect", *self.behind_the_gate(), "--games", 2, "--web", "127.0.0.1:0",
                               steps=[(r":(\d+)/live\r\n", watch), ("Ctrl-C ends it", see_the_end)])

    def test_on_a_terminal_the_page_stays_until_a_signal(self):
        self.end_on_a_terminal(lambda match, watcher: match.send_signal(signal.SIGINT))

    def test_on_a_terminal_the_page_stays_until_nobody_watches(self):
        self.end_on_a_terminal(lambda match, watcher: watcher.close())

    def test_the_pages_are_served_with_the_games(self):
        # No game begins: the record stays small, and is read in time on a busy machine.
        address = self.run_arena("tournament", *self.behind_the_gate(name="Ann"),
                                 *player(GREEDY, name="Bob"), "--games", 2,
                                 "--position", "nim:3,4,5", "--analysis", 0,
                                 "--record", self.record)
        for path, words in (("/", "Play"), ("/live", "Standings"), ("/live.js", "EventSource"),
                            ("/record/record/", "<table"), ("/api/site", '"live":true')):
            status, body = self.get(address, path)
            self.assertEqual((path, status), (path, 200))
            self.assertIn(words, body)
        self.stop()

    def test_a_port_that_cannot_be_opened_is_refused_before_the_first_game(self):
        players = ["match", "builtin:perfect", "builtin:random", "--games", 2]
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            for web, status, words in (
                    (["--web", f"127.0.0.1:{port}"], 3, "in use"),
                    (["--web", "0.0.0.0:0"], 2,
                     "expected --web-tls CERT,KEY, or an address such as 127.0.0.1, or --insecure"),
                    (["--web", "127.0.0.1:0", "--web-host", "a:b/c"], 2,
                     "--web-host: read 'a:b/c', expected a name such as arena.example.org"),
                    (["--web", "127.0.0.1:0", "--web-tls", "no.pem,no.key"], 2, "no.pem"),
                    (["--web", "nonsense"], 2, "expected ':' and a port"),
                    (["--web-host", "arena.example"], 2, "--web HOST:PORT")):
                finished = self.arena(*players, *web, status=status)
                self.assertIn(words, finished.report())
                self.assertNotIn("won", finished.out.decode())
