"""A class of sixty over TLS, each by connect.py, on links of which some are slow and many drop. In a
tournament the server is killed and started again: every game counts once. In a clinic every visit is
reported once, and begins at once.
"""
import asyncio
import contextlib
import hashlib
import random

from serving import *
from test_clinic import ClinicTest

STUDENTS, ROUNDS = 60, 3
BROKEN = """
too_late, hang, drip, stops, garbage, half_a_line
answers 'bestmove 9=0', answers 'bestmove 0000', answers bestmove, answers 1=0, bestmove_alone, bestmove_unasked
closes_stdin, closes_stdout, crash SIGSEGV, crash SIGKILL, leaves_a_child
exit_before_a_move, exit_in_a_move, exit_after_a_move, exit_after_half_a_line
endless_line, endless_move, long_line, floods_lines, floods_stdout, floods_off_turn
move_that_is_no_text, nul_in_a_move, two_bestmoves, ponders, garbage_before_a_move
""".replace("\n", ",").strip(",").split(",")


class Links:
    """Between the students and the server, on a thread: a third pass on seven bytes at a time, and as
    many connections as there are students are dropped after one or two thousand bytes."""

    def __init__(self, server):
        self.server, self.chance, self.drops = server, random.Random(1), 0
        started = queue.Queue()
        threading.Thread(target=asyncio.run, args=(self.run(started),), daemon=True).start()
        self.address = started.get(timeout=PATIENCE)

    async def run(self, started):
        door = await asyncio.start_server(self.link, "127.0.0.1", 0)
        started.put(door.sockets[0].getsockname())
        await door.serve_forever()

    async def link(self, reader, writer):
        ends = [writer]
        with contextlib.suppress(OSError):
            there, back = await asyncio.open_connection(*self.server)
            ends.append(back)
            size = self.chance.choice((7, 1 << 16, 1 << 16))
            passing = [asyncio.ensure_future(self.pass_on(reader, back, size, 1 << 60)),
                       asyncio.ensure_future(self.pass_on(there, writer, size, self.chance.randrange(1500, 3000)))]
            await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
            for task in passing:
                task.cancel()
        for end in ends:
            end.close()

    async def pass_on(self, reader, writer, size, most):
        with contextlib.suppress(OSError):
            while data := await reader.read(size):
                writer.write(data)
                await writer.drain()
                most -= len(data)
                if most < 0 and self.drops < STUDENTS:
                    self.drops += 1
                    return


class ClassTest(ClinicTest):
    def tls(self):
        cert, key = self.tls_certificate()
        self.pin = hashlib.sha256(ssl.PEM_cert_to_DER_cert(cert.read_text())).hexdigest()
        return "--tls", f"{cert},{key}"

    def start_students(self, address):
        """By name."""
        students = {}
        for name in [f"student{i}" for i in range(STUDENTS)]:
            with open(self.folder / f"{name}.said", "wb") as said:
                students[name] = self.start(*CONNECT, "%s:%d" % address, "--pin", self.pin, "--token-file",
                                            self.token_file(name), RANDOM, stderr=said)
        return students


class DiallingClass(ClassTest):
    def test_every_game_counts_once(self):
        options = (*self.tls(), "--format", "swiss", "--rounds", ROUNDS, "--games", 2, "--await",
                   STUDENTS, "--absence", 1000 * PATIENCE, "--movetime", 1000 * PATIENCE)
        server = self.serve("--listen", "127.0.0.9:0", *options)  # where no other test takes the port
        links = Links(server)
        self.start_students(links.address)
        self.await_games(STUDENTS)  # in the second round
        self.server.kill()
        self.server.wait(PATIENCE)
        before = self.games()
        self.serve("--listen", "%s:%d" % server, *options)
        self.assertEqual(self.server.wait(PATIENCE), 0, self.said.all)
        games = self.games()
        self.assertEqual(games[:len(before)], before)
        self.assertEqual({reason for _, reason in games} - {"disconnected"}, {"no-moves"})
        played = self.recorded("SELECT round, player1, player2, leg FROM game JOIN pair ON pair.id = pair")
        self.assertEqual(len(set(played)), len(played))
        self.assertEqual(len(played), STUDENTS * ROUNDS)
        for number in {player for _, *players, _ in played for player in players}:
            self.assertEqual(sum(number in players for _, *players, _ in played), 2 * ROUNDS)
        self.assertGreater(links.drops, STUDENTS // 2)


class VisitingClass(ClassTest):
    def test_every_visit_is_reported_once_and_begins_at_once(self):
        links = Links(self.serve("--clinic", *self.tls(), "--movetime", 1000 * PATIENCE))
        came = {}

        def note_arrivals():
            for line in iter(self.said.lines.get, None):
                if found := re.match(r"(\S+) came from", line):
                    came.setdefault(found[1], time.time())

        threading.Thread(target=note_arrivals, daemon=True).start()
        students = self.start_students(links.address)
        for name, student in students.items():
            self.assertEqual(student.wait(PATIENCE), 0, (self.folder / f"{name}.said").read_text())
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(PATIENCE), 143)
        visited = self.recorded("SELECT DISTINCT round, player1 FROM pair")
        notes = [note.split() for note, in
                 self.recorded("SELECT note FROM round WHERE stage = 2 ORDER BY event")]
        names = dict(self.recorded("SELECT number, name FROM entrant"))
        reported = [int(player) for _, player, *_ in notes]
        self.assertEqual(sorted(player for _, player in visited), sorted(reported))
        began = {}
        for _, player, when, *_ in notes:
            began.setdefault(names[int(player)], int(when) / 1000)
        waits = [began[name] - came[name] for name in students]
        self.assertLess(max(waits), 2)
        self.assertGreater(links.drops, STUDENTS // 2)


class BrokenBots(ClinicTest):
    MOVETIME = 10_000  # some never move

    def test_the_words_are_those_of_check(self):
        self.expect_the_words_of_check(*(zoo(*shlex.split(bot)) for bot in BROKEN))
