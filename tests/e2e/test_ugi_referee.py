"""A referee that knows no rules, as UGI arenas do, can run our engine and C++ bots: it asks them."""
from arena import *


class Engine:
    def __init__(self, test, program=ENGINE):
        self.test = test
        self.process = test.start(program, stdin=subprocess.PIPE)
        self.send("ugi")
        while self.receive() != "ugiok":
            pass
        self.send("isready")
        test.assertEqual(self.receive(), "readyok")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    def receive(self):
        line = self.process.stdout.readline().decode()
        self.test.assertTrue(line.endswith("\n"), "the engine ended")
        return line[:-1]

    def query(self, what):
        self.send("query " + what)
        # UGI referees read exactly two words, the first of them `response`.
        word, answer = self.receive().split(" ")
        self.test.assertEqual(word, "response")
        return answer

    def position(self, start, moves):
        self.send("position " + " ".join([start, "moves", *moves] if moves else [start]))

    def best_move(self, movetime=100):
        self.send(f"go movetime {movetime}")
        while (line := self.receive()).startswith("info"):
            pass
        word, move = line.split(" ")
        self.test.assertEqual(word, "bestmove")
        return move

    def quit(self):
        self.send("quit")
        self.test.assertEqual(self.process.wait(PATIENCE), 0)


class UgiReferee(ArenaTest):
    def play(self, start, programs=(ENGINE, ENGINE)):
        """One game of such a referee: it sends all moves to both engines and queries them."""
        players = [Engine(self, program) for program in programs]
        for engine in players:
            engine.send("uginewgame")
        moves = []
        while True:
            for engine in players:
                engine.position(start, moves)
            answers = [engine.query("gameover") for engine in players]
            self.assertEqual(answers[0], answers[1])
            if answers[0] == "true":
                break
            self.assertEqual(answers[0], "false")
            turn = "true" if len(moves) % 2 == 0 else "false"
            for engine in players:
                self.assertEqual(engine.query("p1turn"), turn)
                self.assertEqual(engine.query("p2turn"), "false" if turn == "true" else "true")
                self.assertEqual(engine.query("result"), "none")
            moves.append(players[len(moves) % 2].best_move())
            self.assertLess(len(moves), 1000)
        results = [engine.query("result") for engine in players]
        self.assertEqual(results[0], results[1])
        for engine in players:
            engine.quit()
        return moves, results[0]

    def test_plays_from_the_start_position(self):
        moves, result = self.play("startpos")  # the first mover loses 1,3,5,7
        self.assertEqual(result, "p2win")
        self.assertEqual(len(moves) % 2, 0)

    def test_plays_any_position(self):
        for start, winner in (("nim:3,4,5", "p1win"), ("nim:1,1 misere", "p1win"),
                              ("nim:1 misere", "p2win"),
                              ("take{1,3,4}:21,2", "p2win"), ("nim:2+take{1-3}:9", "p1win")):
            self.assertEqual(self.play("fen " + start)[1], winner, start)

    def test_plays_the_sample_bots(self):
        for programs in ((RANDOM, GREEDY), (ENGINE, RANDOM), (GREEDY, ENGINE)):
            for start in ("startpos", "fen kayles:7,5 misere", "fen octal{0.[37]}:6+lasker:4",
                          "fen rules{n->n-1;n->n-2}:9"):
                moves, result = self.play(start, programs)
                last = "p1win" if len(moves) % 2 == 1 else "p2win"
                other = "p2win" if last == "p1win" else "p1win"
                self.assertEqual(result, other if "misere" in start else last, start)
