"""The pages of a clinic, each behind a log-in: a student's own, the instructor's, and what strangers try."""
import http.server
import subprocess
import sys
import threading

from browser import ARENA, BIN, PATIENCE, ROOT, Server, WebTest

CONNECT = (sys.executable, "-B", ROOT / "bots" / "connect.py")

# A page of another port of this host, which browsers count as the same site, and of another site.
EVIL = """<!DOCTYPE html><title>Evil</title><p id="evil">
<form method="post" action="{home}"><input name="token" value="{secret}"><button>Form</button></form>
<a href="{home}">Link</a> <a href="{home}?token={secret}">Token</a> <a href="{home}player-1.html">Page</a>
<img src="{home}" alt=""><iframe src="{home}"></iframe>"""


class Evil:
    """A server of somebody else's; `page` is what it serves."""

    def __init__(self, page):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class ClinicServer(Server):
    """`serve --clinic`, with the bots of these students."""

    def __init__(self, folder, students):
        self.tokens, self.secrets = folder / "class.tokens", {}
        for name in (*students, "Zoe", "instructor"):
            self.secrets[name] = self.token(name)
        super().__init__("--tokens", self.tokens, "--record", folder / "clinic.db", "--position", "nim:3,4,5",
                         "--seed", 1, command=("serve", "--clinic", "--listen", "127.0.0.1:0", "--web",
                                               "127.0.0.1:0"))
        address = self.url
        lines = iter(self.process.stdout.readline, b"")
        self.url = next(line for line in lines if line.startswith(b"watch on")).split()[-1].decode()
        assert self.url.endswith("/clinic/"), self.url
        self.url = self.url.removesuffix("/clinic/")
        self.bots = []
        for name, bot in students.items():
            file = folder / f"{name}.token"
            file.write_text(self.secrets[name] + "\n")
            file.chmod(0o600)
            self.bots.append(subprocess.Popen([*CONNECT, address, "--token-file", file, BIN / bot],
                                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                              stderr=subprocess.DEVNULL))
        # Read on, or the server waits for room in the pipe.
        threading.Thread(target=lambda: [None for _ in lines]).start()

    def token(self, name):
        return subprocess.run([ARENA, "token", "add", name, "--tokens", self.tokens], stdout=subprocess.PIPE,
                              timeout=PATIENCE, check=True).stdout.decode().strip()

    def stop(self):
        for bot in self.bots:
            bot.kill()
            bot.wait()
        super().stop()


class Clinic(WebTest):
    @classmethod
    def start_server(cls):
        return ClinicServer(cls.folder, {"Ann": "nim-greedy", "Bob": "nim-random"})

    def setUp(self):
        super().setUp()
        self.command("Network.clearBrowserCookies")

    def log_in(self, secret):
        self.open("/clinic/")
        self.write("input[name=token]", secret)
        self.click("main button")

    def log_in_as(self, name, title):
        self.log_in(self.server.secrets[name])
        self.wait_text("h1", title)

    def load_until(self, holds):
        self.wait(lambda: self.driver.refresh() or holds())

    def is_asked_for_the_token(self):
        return self.all("input[name=token]") and not self.all("nav button")

    def test_a_student_sees_what_was_found_of_the_own_bot(self):
        self.open("/clinic/")
        self.look("clinic-log-in")
        self.log_in_as("Bob", "Bob")
        self.load_until(lambda: self.all("#viewer .moves"))
        self.look("clinic-student")
        self.assertEqual(self.all("a[href*='player-'], a[href*='index']"), [])
        self.assertNotIn("Ann", self.text("body"))
        self.click("nav button")
        self.wait(self.is_asked_for_the_token)
        self.assertEqual(self.driver.get_cookies(), [])

    def test_a_student_who_has_not_come_is_told_how(self):
        self.log_in_as("Zoe", "Zoe")
        self.look("clinic-welcome")
        self.click("main a")
        self.wait(lambda: self.run_js("return location.pathname") == "/bot")
        self.wait(lambda: self.all("#nav a[href='/clinic/']"))

    def test_the_instructor_sees_the_class(self):
        self.log_in_as("instructor", "Nimarena clinic")
        self.load_until(lambda: len(self.all("tbody tr")) == 2)
        self.look("clinic-class")
        self.assertEqual(self.texts("main li"), ["Zoe"])
        self.click("a[href='index.html']")
        self.wait(lambda: self.shown("table.standings"))
        self.run_js("[...document.querySelectorAll('table.standings a')].find("
                    "(link) => link.textContent === 'Ann').click()")
        self.wait_text("h1", "Ann")
        self.click("nav a[href='/clinic/']")
        self.wait(lambda: self.texts("main li") == ["Zoe"])

    def test_a_wrong_token_is_refused_and_tried_again(self):
        self.allow("403")
        self.log_in("0" * 32)
        self.wait(lambda: self.all("[role=alert]"))
        self.look("clinic-refused")
        self.assertEqual(self.driver.get_cookies(), [])
        self.write("input[name=token]", self.server.secrets["Zoe"])
        self.click("main button")
        self.wait_text("h1", "Zoe")

    def test_no_script_reads_the_cookie_and_no_address_has_the_token(self):
        self.log_in_as("Zoe", "Zoe")
        self.assertEqual(self.run_js("return document.cookie"), "")
        cookie, = self.driver.get_cookies()
        self.assertTrue(cookie["httpOnly"])
        self.assertEqual(cookie["sameSite"], "Strict")
        secret = self.server.secrets["Zoe"]
        self.assertNotIn(secret, str(cookie))
        self.assertEqual(self.run_js("return location.search + location.hash"), "")
        self.assertNotIn(secret, self.driver.page_source)

    def test_anothers_page_is_not_found(self):
        self.allow("404")
        self.log_in_as("Zoe", "Zoe")
        for page in ("/clinic/player-2.html", "/clinic/index.html", "/record/clinic/", "/api/live",
                     "/record/clinic/player-2.html", "/clinic/of/Ann", "/clinic/class"):
            self.open(page)
            self.assertNotIn("Ann", self.text("body"), page)

    def test_pages_of_others_get_nothing(self):
        self.allow("403", "ERR_BLOCKED_BY_RESPONSE", "frame-ancestors", "Refused to frame")
        home = self.server.url + "/clinic/"
        self.log_in_as("Zoe", "Zoe")
        for host in ("127.0.0.1", "localhost"):
            evil = Evil(EVIL.format(home=home, secret=self.server.secrets["Bob"]))
            self.addCleanup(evil.stop)
            for selector in ("button", "a", "a[href*='token=']", "a[href*='player']"):
                self.driver.get(f"http://{host}:{evil.port}/")
                self.find(selector).click()
                self.wait(lambda: not self.all("#evil"))
                body = self.text("body")
                self.assertNotIn("Bob", body)
                self.assertNotIn("Zoe", body)
                self.assertFalse(self.all("nav button"), f"{host} {selector}")
        self.open("/clinic/")
        self.wait_text("h1", "Zoe")
