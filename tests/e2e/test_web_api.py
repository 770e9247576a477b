"""The JSON interface of nim-arena web, as programs use it: bots as opponents, and hard positions."""
import http.client
import textwrap
import threading

from arena import *
from serving import web_address

HARD = "rules{n->x,y:x+y<n&x*y%7!=3}:150,149,148 misere"


class WebApi(ArenaTest):
    def serve(self, *arguments):
        """nim-arena web on a port of its own."""
        limit = [] if "--movetime" in arguments else ["--movetime", "60000"]
        self.server = self.start(ARENA, "web", "--listen", "127.0.0.1:0", *limit, *arguments)
        self.address = web_address(self.server)

    def request(self, method, question, *body):
        """The status of a response and its object."""
        with contextlib.closing(http.client.HTTPConnection(*self.address, timeout=PATIENCE)) as connection:
            connection.request(method, "/api/" + question, *body)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def ask(self, question, **request):
        return self.request("POST", question, json.dumps(request), {"Content-Type": "application/json"})

    def bot(self, name, body):
        """A bot whose answer to `go` is the body of a Python function, as --player."""
        path = self.folder / (name + ".py")
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
        return player("python3 " + str(path), name=name)

    def test_bots_play(self):
        first = self.bot("First", "return '1=0' if 'moves' not in position else '2=0'")
        self.serve(*first, *player("builtin:random", name="Rand"))
        names = [(o["id"], o["name"]) for o in self.request("GET", "site")[1]["opponents"][7:]]
        self.assertEqual(names, [("bot:0", "First"), ("bot:1", "Rand")])
        status, answer = self.ask("reply", position="nim:3,4", opponent="bot:0")
        self.assertEqual((status, answer["move"]), (200, "1=0"))
        self.assertEqual(answer["game"]["position"], "nim:0,4")
        # The history is sent, and the same process answers.
        _, answer = self.ask("reply", position="nim:3,4", moves=["1=2"], opponent="bot:0")
        self.assertEqual(answer["move"], "2=0")
        _, answer = self.ask("reply", position="nim:1", opponent="bot:1")
        self.assertEqual(answer["game"]["winner"], 1)

    def test_examples_of_the_manual(self):
        manual = " ".join((ROOT / "arena" / "doc" / "web.md").read_text().split())
        game = dict(position="kayles:10+nim:4", moves=["1=9"])
        self.serve()
        pile = self.ask("game", **game)[1]["piles"][0]
        moves = self.ask("moves", pile=1, **game)[1]
        review = self.ask("review", position="nim:1,3", moves=["2=2", "2=1"])[1]
        error = self.ask("game", position="octal{0.8}:5")[1]["error"]
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
        self.serve(*crash, *cheat)
        _, answer = self.ask("reply", position="nim:3,4", opponent="bot:0")
        fault = answer["fault"]
        self.assertEqual((fault["player"], fault["reason"]), ("Crash", "disconnected"))
        self.assertEqual(fault["stderr"], "out of ideas")
        _, answer = self.ask("reply", position="nim:3,4", moves=["2=0"], opponent="bot:0")
        self.assertEqual(answer["move"], "1=0")
        _, answer = self.ask("reply", position="nim:3,4", opponent="bot:1")
        self.assertEqual(answer["fault"]["reason"], "illegal-move")
        self.assertIn("1=9", answer["fault"]["received"])

    def test_a_bot_that_never_answers_is_reported(self):
        hang = self.bot("Hang", "import time; time.sleep(1000)")
        self.serve(*hang, "--movetime", "100")
        _, answer = self.ask("reply", position="nim:3,4", opponent="bot:0")
        self.assertEqual(answer["fault"]["reason"], "timeout")

    def test_a_bot_that_does_not_start_is_reported(self):
        self.serve(*player("/no/such/bot", name="Gone"))
        _, answer = self.ask("reply", position="nim:3,4", opponent="bot:0")
        self.assertEqual(answer["fault"]["reason"], "startup")
        self.assertEqual(answer["fault"]["detail"],
                         "cannot start '/no/such/bot': No such file or directory")

    def test_signals_end_bots(self):
        path = self.folder / "pid"
        bot = self.bot("Pid", f"""
            import os
            open({str(path)!r}, 'w').write(str(os.getpid()))
            import time; time.sleep(1000)
            """)
        self.serve(*bot)
        asking = self.swallow("reply", position="nim:3,4", opponent="bot:0")
        self.wait_until(lambda: path.exists() and path.read_text())
        pid = int(path.read_text())
        self.server.send_signal(signal.SIGTERM)
        self.end_of(self.server, 128 + signal.SIGTERM)
        asking.join()
        self.wait_until(lambda: not pathlib.Path(f"/proc/{pid}").exists())

    def swallow(self, question, **request):
        """A thread that asks; its connection may end with the server."""
        def ask():
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.ask(question, **request)
        thread = threading.Thread(target=ask)
        thread.start()
        return thread

    def test_hard_positions_delay_nobody(self):
        self.serve("--think", "600000")
        hard = [self.swallow("evaluate", position=HARD) for _ in range(3)]
        for _ in range(50):
            status, answer = self.ask("evaluate", position="nim:3,4,5")
            self.assertEqual((status, answer["outcome"]), (200, "N"))
        self.assertTrue(all(thread.is_alive() for thread in hard))
        self.server.send_signal(signal.SIGTERM)
        for thread in hard:
            thread.join()
