"""nim-arena web, tested by raw bytes that a hostile or broken client may send."""
import contextlib
import hashlib
import socket
import ssl

from arena import *
from serving import web_address


class Client:
    def __init__(self, address, context=None):
        self.socket = socket.create_connection(address, timeout=PATIENCE)
        if context:
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        self.file = self.socket.makefile("rb")

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())
        return self

    def get(self, target="/", **headers):
        return self.request("GET", target, **headers)

    def request(self, method, target="/", **headers):
        lines = {"Host": "localhost"} | {k.replace("_", "-"): v for k, v in headers.items()}
        head = "".join(f"{k}: {v}\r\n" for k, v in lines.items())
        return self.send(f"{method} {target} HTTP/1.1\r\n{head}\r\n")

    def response(self, has_body=True):
        """Status, headers, body; None at the end of the connection."""
        line = self.file.readline().decode()
        if not line:
            return None
        headers = {}
        while (header := self.file.readline().decode().strip()):
            name, _, value = header.partition(": ")
            headers[name] = value
        body = self.file.read(int(headers.get("Content-Length", 0))) if has_body else b""
        return int(line.split()[1]), headers, body

    def status(self):
        found = self.response()
        return found and found[0]

    def is_closed(self):
        try:
            return self.file.read(1) == b""
        except ConnectionResetError:
            return True

    def close(self):
        self.file.close()
        self.socket.close()


class WebHttpTest(ArenaTest):
    @classmethod
    def setUpClass(cls):
        """The server without any options is shared."""
        shared = subprocess.Popen([ARENA, "web", "--listen", "127.0.0.1:0"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        cls.addClassCleanup(cls.close, shared)
        cls.address = web_address(shared)

    def web(self, *options):
        """A server of this test alone."""
        self.server = self.start(ARENA, "web", "--listen", "127.0.0.1:0", *options)
        self.address = web_address(self.server)

    def client(self, context=None):
        client = Client(self.address, context)
        self.addCleanup(client.close)
        return client

    def still_serves(self):
        self.assertEqual(self.client().get().status(), 200)

    def test_every_response_has_the_headers_of_safety(self):
        client = self.client()
        for target in ("/", "/live", "/nope", "/api/nope"):
            headers = client.get(target).response()[1]
            self.assertEqual(headers["Content-Security-Policy"],
                             "default-src 'none'; script-src 'self'; style-src 'self'; "
                             "img-src 'self'; connect-src 'self'; base-uri 'none'; "
                             "form-action 'self'; frame-ancestors 'none'")
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Referrer-Policy"], "same-origin")
            self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
            self.assertIn(headers["Cache-Control"], ("no-cache", "no-store"))
            self.assertNotIn("Set-Cookie", headers)

    def test_head_is_answered_without_a_body(self):
        client = self.client()
        status, headers, _ = client.request("HEAD").response(has_body=False)
        self.assertEqual(status, 200)
        self.assertGreater(int(headers["Content-Length"]), 0)
        self.assertEqual(client.request("HEAD", "/nope").response(has_body=False)[0], 404)
        self.assertEqual(client.get().status(), 200)

    def test_half_request_that_ends_is_dropped(self):
        for data in ("G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\n\r"):
            client = self.client().send(data)
            client.socket.shutdown(socket.SHUT_WR)
            self.assertTrue(client.is_closed(), data)
        self.still_serves()

    def test_dripping_client_is_closed(self):
        self.web("--request-time", 300)
        for slow in (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 10_000,
                     b"POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n"
                     b"Content-Type: application/json\r\n\r\n" + b" " * 10_000):
            client = self.client()
            begin = len(slow) - 10_000
            client.send(slow[:begin])
            client.socket.setblocking(False)
            answer = b""
            for byte in slow[begin:]:  # each byte would restart a deadline, if that were possible
                with contextlib.suppress(OSError):  # it is closed, after its answer
                    client.socket.send(bytes([byte]))
                if select.select([client.socket], [], [], 0.01)[0]:
                    answer = client.socket.recv(12)
                    break
            self.assertEqual(answer, b"HTTP/1.1 408")

    def test_idle_connection_is_closed(self):
        self.web("--idle-time", 100)
        self.assertTrue(self.client().is_closed())

        def is_answered():
            """Unless the test has no time for its request."""
            with contextlib.suppress(OSError):
                used = self.client()
                if status := used.get().status():
                    self.assertEqual(status, 200)
                    self.assertTrue(used.is_closed())
                    return True

        self.wait_until(is_answered)

    def test_other_hosts_are_refused(self):
        self.web("--host", "arena.example.org")
        for host, status in (("ARENA.example.org:8080", 200), ("evil.example:8080", 403)):
            self.assertEqual(self.client().get(Host=host).status(), status, host)

    def test_connect_is_served_with_its_hash_and_bots(self):
        connect = (ROOT / "bots" / "connect.py").read_bytes()
        for options in ((), ("--page", self.folder)):
            if options:
                self.web(*options)
            status, headers, body = self.client().get("/connect.py").response()
            self.assertEqual((status, body), (200, connect))
            self.assertEqual(headers["Content-Type"], "text/x-python; charset=utf-8")
            _, _, body = self.client().get("/connect.py.sha256").response()
            self.assertEqual(body.decode(), f"{hashlib.sha256(connect).hexdigest()}  connect.py\n")
            for bot in ("python/nim_bot.py", "cpp/nim_bot.cpp", "java/NimBot.java", "javascript/nim_bot.js"):
                status, _, body = self.client().get("/" + bot.rpartition("/")[2]).response()
                self.assertEqual((status, body), (200, (ROOT / "bots" / bot).read_bytes()), bot)

    def test_connections_are_limited(self):
        self.web("--connections", 5)
        clients = [self.client() for _ in range(5)]
        for client in clients:
            self.assertEqual(client.get().status(), 200)
        status, headers, body = self.client().response()
        self.assertEqual((status, headers["Retry-After"]), (503, "1"))
        self.assertEqual(json.loads(body), {"error": {"text": "the server is full"}})
        clients.pop().close()
        self.wait_until(lambda: self.client().get().status() == 200)

    def test_connections_fit_the_limit_of_files(self):
        few = self.start("prlimit", "--nofile=300:300", ARENA, "web", "--listen", "127.0.0.1:0")
        web_address(few)
        self.assertEqual(few.stdout.readline(), b"note: room for 44 connections: see ulimit -Hn\n")

    def test_connections_of_an_address_are_limited(self):
        self.web("--address-connections", 3)
        clients = [self.client() for _ in range(3)]
        for client in clients:
            self.assertEqual(client.get().status(), 200)
        status, _, body = self.client().response()
        self.assertEqual(status, 503)
        self.assertIn(b"from this address", body)
        other = socket.create_connection(self.address, PATIENCE, ("127.0.0.2", 0))
        self.addCleanup(other.close)
        other.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertEqual(other.recv(12), b"HTTP/1.1 200")

    def test_ends_with_connections_open(self):
        self.web()
        idle, half, used = (self.client() for _ in range(3))
        half.send("GET / HT")
        self.assertEqual(used.get().status(), 200)
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(PATIENCE), 143)
        for client in (idle, half, used):
            self.assertTrue(client.is_closed())
        self.assertEqual(self.server.stderr.read(), b"")

    def test_ends_by_interrupt(self):
        self.web()
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(PATIENCE), 130)

    def test_says_why_it_cannot_listen(self):
        where = "%s:%d" % self.address
        for listen, status, text in (
                (where, 3, b"nim-arena web: cannot listen on " + where.encode() +
                 b": Address already in use\n"),
                ("0.0.0.0:0", 2, b"is open to the network")):
            done = subprocess.run([ARENA, "web", "--listen", listen], capture_output=True,
                                  timeout=PATIENCE)
            self.assertEqual(done.returncode, status)
            self.assertIn(text, done.stderr)

    def test_serves_https(self):
        cert, key = self.tls_certificate()
        self.web("--tls", f"{cert},{key}")
        context = ssl.create_default_context(cafile=cert)
        client = self.client(context)
        for _ in range(3):
            self.assertEqual(
                client.get(Host="localhost:1", Origin="https://localhost:1").status(), 200)
        self.assertEqual(client.get(Connection="close").status(), 200)
        self.assertTrue(client.is_closed())
        plain = self.client()
        status, _, body = plain.get().response()
        self.assertEqual((status, "https://" in body.decode()), (400, True))
        self.assertTrue(plain.is_closed())
        self.assertEqual(self.client(context).get().status(), 200)
