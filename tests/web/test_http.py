"""HTTP, by curl: pages, ETags, errors with their bodies. Needs no browser."""
import json
import os
import subprocess
import unittest

from browser import PATIENCE, Server


class Answer:
    def __init__(self, raw):
        head, _, self.body = raw.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {name.lower(): text.strip() for name, _, text in
                        (line.partition(":") for line in lines[1:])}

    def json(self):
        return json.loads(self.body)


class Http(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)

    def curl(self, path, *words, body=None):
        if body is not None:
            words = (*words, "-H", "Content-Type: application/json", "--data-binary", body)
        done = subprocess.run(["curl", "-si", "--noproxy", "*", "-m", str(PATIENCE), *words,
                               self.server.url + path], stdout=subprocess.PIPE, check=True,
                              env=dict(os.environ, NO_PROXY="*"))
        return Answer(done.stdout)

    def test_the_pages_and_what_they_load(self):
        page = self.curl("/")
        self.assertEqual((page.status, page.headers["content-type"]),
                         (200, "text/html; charset=utf-8"))
        self.assertIn(b"<title>Nimarena: play</title>", page.body)
        for path, kind in (("/play.js", "text/javascript"), ("/style.css", "text/css"),
                           ("/icon.svg", "image/svg+xml")):
            answer = self.curl(path)
            self.assertEqual(answer.status, 200, path)
            self.assertEqual(answer.headers["content-type"].split(";")[0], kind)
            self.assertEqual(int(answer.headers["content-length"]), len(answer.body))

    def test_every_answer_is_strict(self):
        for path in ("/", "/api/site", "/none", "/style.css"):
            headers = self.curl(path).headers
            policy = headers["content-security-policy"].split("; ")
            self.assertIn("default-src 'none'", policy)
            self.assertIn("script-src 'self'", policy)
            self.assertNotIn("unsafe", " ".join(policy))
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertEqual(headers["referrer-policy"], "no-referrer")
            self.assertNotIn("set-cookie", headers)

    def test_an_unchanged_file_is_not_sent(self):
        tag = self.curl("/").headers["etag"]
        again = self.curl("/", "-H", f"If-None-Match: {tag}")
        self.assertEqual((again.status, again.body), (304, b""))
        self.assertEqual(again.headers["etag"], tag)
        self.assertEqual(self.curl("/", "-H", 'If-None-Match: "other"').status, 200)

    def test_head(self):
        answer = self.curl("/", "--head")
        self.assertEqual((answer.status, answer.body), (200, b""))
        self.assertGreater(int(answer.headers["content-length"]), 1000)

    def test_two_requests_of_one_connection(self):
        done = subprocess.run(["curl", "-s", "--noproxy", "*", "-w", "%{num_connects} ",
                               "-o", "/dev/null", "-o", "/dev/null", self.server.url + "/",
                               self.server.url + "/api/site"], stdout=subprocess.PIPE, check=True)
        self.assertEqual(done.stdout, b"1 0 ")

    def test_a_question(self):
        answer = self.curl("/api/evaluate", body='{"position":"nim:3,4,5"}')
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["content-type"], "application/json")
        found = answer.json()
        self.assertEqual((found["nimber"], found["outcome"], found["best_moves"]),
                         (2, "N", ["1=1"]))

    def test_errors_say_what_is_wrong(self):
        cases = [
            ("/none", [], None, 404),
            ("/api/none", [], None, 404),
            ("/api/game", [], None, 405),
            ("/", ["-X", "DELETE"], None, 405),
            ("/api/site", ["-X", "POST"], "{}", 405),
            ("/", ["-H", "Host: evil.example"], None, 403),
            ("/api/game", ["-H", "Origin: http://evil.example"], '{"position":"nim:3"}', 403),
            ("/api/game", [], "{", 400),
            ("/api/game", [], "[]", 400),
            ("/api/game", [], '{"position":"nim:3","more":1}', 400),
            ("/api/game", [], '{"position":7}', 400),
            ("/api/game", [], '{"position":"nim:3","moves":["1=3"]}', 400),
            ("/api/reply", [], '{"position":"nim:3","opponent":"bot:9"}', 404),
            ("/record/none/", [], None, 404),
            ("/api/live", [], None, 404),
        ]
        for path, words, body, status in cases:
            with self.subTest(path=path, words=words, body=body):
                answer = self.curl(path, *words, body=body)
                self.assertEqual(answer.status, status, answer.body)
                self.assertNotEqual(answer.body, b"")
                if path.startswith("/api/"):
                    self.assertTrue(answer.json()["error"]["text"])
                if status == 405:
                    self.assertIn("allow", answer.headers)

    def test_an_error_knows_its_place(self):
        answer = self.curl("/api/game", body='{"position":"nim:3,x"}')
        error = answer.json()["error"]
        self.assertEqual((answer.status, error["field"], error["column"]), (400, "position", 7))
        answer = self.curl("/api/game", body='{"position":"nim:3","moves":["1=1","1=2"]}')
        error = answer.json()["error"]
        self.assertEqual((answer.status, error["field"], error["ply"]), (400, "moves", 2))

    def test_a_body_that_is_too_long(self):
        body = '{"position":"' + "n" * 300_000 + '"}'
        file = subprocess.run(["curl", "-si", "--noproxy", "*", "-H", "Expect:", "-H",
                               "Content-Type: application/json", "--data-binary", "@-",
                               self.server.url + "/api/game"], input=body.encode(),
                              stdout=subprocess.PIPE)
        self.assertEqual(Answer(file.stdout).status, 413)

    def test_a_body_of_another_type(self):
        answer = self.curl("/api/game", "-H", "Content-Type: text/plain", "--data-binary",
                           '{"position":"nim:3"}')
        self.assertGreaterEqual(answer.status, 400)

    def test_names_of_this_machine_are_answered(self):
        port = self.server.url.rsplit(":", 1)[1]
        for host in ("localhost", "127.0.0.1"):
            self.assertEqual(self.curl("/", "-H", f"Host: {host}:{port}").status, 200)


if __name__ == "__main__":
    unittest.main()
