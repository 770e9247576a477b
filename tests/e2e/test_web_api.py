"""The JSON interface of nim-arena web, as programs use it: bots as opponents, and hard positions."""
import contextlib
import http.client
import json
import pathlib
import signal
import subprocess
import tempfile
import textwrap
import threading

import arena
from serving import web_address

HARD = "rules{n->x,y:x+y<n&x*y%7!=3}:150,149,148 misere"


class Server:
    """nim-arena web on a port of its own, until the `with` ends."""

    def __init__(self, *arguments):
        limit = [] if "--movetime" in arguments else ["--movetime", "60000"]
        command = [arena.ARENA, "web", "--listen", "127.0.0.1:0", *limit, *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.address = "%s:%d" % web_address(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=arena.PATIENCE)

    def ask(self, question, **request):
        """The status of a response and its object."""
        connection = http.client.HTTPConnection(self.address, timeout=arena.PATIENCE)
        with contextlib.closing(connection):
            connection.request("POST", "/api/" + question, json.dumps(request),
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
        return answer.status, json.loads(text)

    def get(self, question):
        connection = http.client.HTTPConnection(self.address, timeout=arena.PATIENCE)
        connection.request("GET", "/api/" + question)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return json.loads(text)


class Bot:
    """A bot whose answer to `go` is the body of a Python function, as --player."""

    def __init__(self, folder, name, body):
        path = pathlib.Path(folder) / (name + ".py")
        path.write_text(textwrap.dedent("""\
            import sys
            def go(position, words):
            {}
            for line in sys.stdin:
                words = line.split()
                if words[0] == "ugi": print("id name Self\\nugiok", flush=True)
                elif words[0] == "isready": print("readyok", flush=True)
                elif words[0] == "position": position = words
                elif words[0] == "go": print("bestmove", go(position, words), flush=True)
                elif words[0] == "quit": break
            """).format(textwrap.indent(textwrap.dedent(body), "    ")))
        self.arguments = arena.player("python3 " + str(path), name=name)


class WebApi(arena.ArenaTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def bot(self, name, body):
        return Bot(self.folder, name, body).arguments

    def test_bots_play(self):
        first = self.bot("First", "return '1=0' if 'moves' not in position else '2=0'")
        with Server(*first, *arena.player("builtin:random", name="Rand")) as server:
            names = [(o["id"], o["name"]) for o in server.get("site")["opponents"][7:]]
            self.assertEqual(names, [("bot:0", "First"), ("bot:1", "Rand")])
            status, answer = server.ask("reply", position="nim:3,4", opponent="bot:0")
            self.assertEqual((status, answer["move"]), (200, "1=0"))
            self.assertEqual(answer["game"]["position"], "nim:0,4")
            # The history is sent, and the same process answers.
            _, answer = server.ask("reply", position="nim:3,4", moves=["1=2"], opponent="bot:0")
            self.assertEqual(answer["move"], "2=0")
            _, answer = server.ask("reply", position="nim:1", opponent="bot:1")
            self.assertEqual(answer["game"]["winner"], 1)

    def test_examples_of_the_manual(self):
        manual = " ".join((arena.ROOT / "arena" / "doc" / "web.md").read_text().split())
        game = dict(position="kayles:10+nim:4", moves=["1=9"])
        with Server() as server:
            pile = server.ask("game", **game)[1]["piles"][0]
            moves = server.ask("moves", pile=1, **game)[1]
            review = server.ask("review", position="nim:1,3", moves=["2=2", "2=1"])[1]
            error = server.ask("game", position="octal{0.8}:5")[1]["error"]
        self.assertIn(f'"results": ["8", "7", "1,7", …], "result_count": {pile["result_count"]}}}',
                      manual)
        first = json.dumps(moves["moves"][0])
        self.assertIn(f'{{"count": {moves["count"]}, "offset": 0, "moves": [{first}, …]}}', manual)
        self.assertIn(json.dumps(review), manual)
        error["text"] = error["text"].split(";")[0] + "; …"
        self.assertIn(json.dumps({"error": error}, ensure_ascii=False), manual)

    def test_a_fault_is_reported_and_the_bot_is_restarted(self):
        crash = self.bot("Crash", """
            if 'moves' in position: return '1=0'
            sys.stderr.write('out of ideas\\n')
            sys.exit(3)
            """)
        cheat = self.bot("Cheat", "return '1=9'")
        with Server(*crash, *cheat) as server:
            _, answer = server.ask("reply", position="nim:3,4", opponent="bot:0")
            fault = answer["fault"]
            self.assertEqual((fault["player"], fault["reason"]), ("Crash", "disconnected"))
            self.assertEqual(fault["stderr"], "out of ideas")
            _, answer = server.ask("reply", position="nim:3,4", moves=["2=0"], opponent="bot:0")
            self.assertEqual(answer["move"], "1=0")
            _, answer = server.ask("reply", position="nim:3,4", opponent="bot:1")
            self.assertEqual(answer["fault"]["reason"], "illegal-move")
            self.assertIn("1=9", answer["fault"]["received"])

    def test_a_bot_that_never_answers_is_reported(self):
        hang = self.bot("Hang", "import time; time.sleep(1000)")
        with Server(*hang, "--movetime", "100") as server:
            _, answer = server.ask("reply", position="nim:3,4", opponent="bot:0")
            self.assertEqual(answer["fault"]["reason"], "timeout")

    def test_a_bot_that_does_not_start_is_reported(self):
        with Server(*arena.player("/no/such/bot", name="Gone")) as server:
            _, answer = server.ask("reply", position="nim:3,4", opponent="bot:0")
            self.assertEqual(answer["fault"]["reason"], "startup")
            self.assertEqual(answer["fault"]["detail"],
                             "cannot start '/no/such/bot': No such file or directory")

    def test_signals_end_bots(self):
        path = pathlib.Path(self.folder) / "pid"
        bot = self.bot("Pid", f"""
            import os
            open({str(path)!r}, 'w').write(str(os.getpid()))
            import time; time.sleep(1000)
            """)
        server = Server(*bot, "--movetime", "60000")
        asking = threading.Thread(target=self.swallow, args=(server,))
        asking.start()
        self.wait_until(lambda: path.exists() and path.read_text())
        pid = int(path.read_text())
        server.process.send_signal(signal.SIGTERM)
        server.process.communicate(timeout=arena.PATIENCE)
        self.assertEqual(server.process.returncode, 128 + signal.SIGTERM)
        asking.join()
        self.wait_until(lambda: not pathlib.Path(f"/proc/{pid}").exists())

    @staticmethod
    def swallow(server, question="reply", **request):
        try:
            server.ask(question, **(request or {"position": "nim:3,4", "opponent": "bot:0"}))
        except (OSError, http.client.HTTPException):
            pass  # the connection ends with the server

    def test_hard_positions_delay_nobody(self):
        with Server("--think", "600000") as server:
            hard = [threading.Thread(target=self.swallow, args=(server, "evaluate"), kwargs={"position": HARD})
                    for _ in range(3)]
            for thread in hard:
                thread.start()
            for _ in range(50):
                status, answer = server.ask("evaluate", position="nim:3,4,5")
                self.assertEqual((status, answer["outcome"]), (200, "N"))
            self.assertTrue(all(thread.is_alive() for thread in hard))
        for thread in hard:
            thread.join()
