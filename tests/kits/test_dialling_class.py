"""A class of sixty over TLS, each by connect.py, on links of which some are slow and many drop, while
the server is killed and started again: every game counts once.
"""
import asyncio
import contextlib
import hashlib
import random

from serving import *

STUDENTS, ROUNDS = 60, 3
RANDOM = str(BIN / "nim-random")


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


class DiallingClass(ServeTest):
    def test_every_game_counts_once(self):
        cert, key = self.tls_certificate()
        pin = hashlib.sha256(ssl.PEM_cert_to_DER_cert(cert.read_text())).hexdigest()
        options = ("--tls", f"{cert},{key}", "--format", "swiss", "--rounds", ROUNDS, "--games", 2, "--await",
                   STUDENTS, "--absence", 1000 * PATIENCE, "--movetime", 1000 * PATIENCE)
        names = [f"student{i}" for i in range(STUDENTS)]
        secrets = {name: self.token(name) for name in names}
        server = self.serve(*options)
        links = Links(server)
        for name in names:
            path = self.folder / f"{name}.txt"
            path.write_text(secrets[name])
            path.chmod(0o600)
            with open(self.folder / f"{name}.said", "wb") as said:
                self.start(*CONNECT, "%s:%d" % links.address, "--pin", pin, "--token-file", path, RANDOM,
                           stderr=said)
        self.await_games(STUDENTS)  # in the second round
        self.server.kill()
        self.server.wait(PATIENCE)
        before = self.games()
        self.serve("--listen", "%s:%d" % server, *options)
        self.assertEqual(self.server.wait(PATIENCE), 0, self.said.all)
        games = self.games()
        self.assertEqual(games[:len(before)], before)
        self.assertEqual({reason for _, reason in games} - {"disconnected"}, {"no-moves"})
        with contextlib.closing(sqlite3.connect(self.record)) as record:
            played = record.execute("SELECT round, player1, player2, leg FROM game JOIN pair ON pair.id = pair").fetchall()
        self.assertEqual(len(set(played)), len(played))
        self.assertEqual(len(played), STUDENTS * ROUNDS)
        for number in {player for _, *players, _ in played for player in players}:
            self.assertEqual(sum(number in players for _, *players, _ in played), 2 * ROUNDS)
        self.assertGreater(links.drops, STUDENTS // 2)


if __name__ == "__main__":
    unittest.main()
