"""nim-arena suite: what it prints is a file of positions, with what theory says of each."""
from arena import *

SPEC = "nim,take{1,3,4},nim+kayles,wythoff,grundy;size=small;n=40%;misere=mixed"


class Suite(ArenaTest):
    def drawn(self, spec, *options, count=20, seed=1):
        """The comment at the top, and pairs of a position and its comment."""
        run = self.arena("suite", spec, "--count", count, "--seed", seed, *options, status=0)
        head, *lines = run.out.decode().splitlines()
        self.assertEqual(len(lines), count)
        return head, [tuple(line.split("  # ")) for line in lines]

    def test_agrees_with_the_engine(self):
        head, drawn = self.drawn(SPEC)
        self.assertEqual(head, f"# nim-arena suite '{SPEC}' --count 20 --seed 1")
        for position, words in drawn:
            told = subprocess.run([ENGINE, "eval", *position.split()], capture_output=True,
                                  text=True, check=True).stdout
            outcome, _, winning = words.partition(", ")
            self.assertIn(f"\noutcome: {outcome},", told)
            if outcome == "N":
                self.assertIn(f"\nwinning moves ({winning.split()[0]}):", told)
        self.assertEqual([words[0] for _, words in drawn].count("N"), 8)

    def test_ends_when_its_reader_does(self):
        process = self.start(ARENA, "suite", "kayles;size=large", "--count", 1000000, "--seed", 1)
        for _ in range(2):
            self.assertTrue(process.stdout.readline().endswith(b"\n"))
        process.stdout.close()
        self.assertEqual(process.wait(PATIENCE), 0)
