"""What a bot can compute from the seeds that it is sent."""
import pathlib
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

from arena import *

MASK = (1 << 64) - 1
DROPPED = 11  # bits of a seed that are not sent


def mix(value):
    """The finalizer of SplitMix64, from which seeds derived once."""
    value = (value + 0x9E3779B97F4A7C15) & MASK
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)


def unmix(value):
    def unshift(value, by):
        found = value
        for _ in range(64 // by + 1):
            found = value ^ (found >> by)
        return found
    value = unshift(value, 31) * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK
    value = unshift(value, 27) * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK
    return (unshift(value, 30) - 0x9E3779B97F4A7C15) & MASK


def older_seed(mixed, game, seat):
    """As it was derived from mix(the match's seed)."""
    return mix((mix((mixed + game) & MASK) + seat) & MASK) >> DROPPED


def attack(own):
    """Guesses mix(the match's seed) from one's own seeds, {(game, seat): seed}: of the 2048
    values that the first one may have had, the one that explains the second."""
    (first, (game, seat)), (second, (other, there)) = [(own[key], key) for key in sorted(own)][:2]
    found = []
    for low in range(1 << DROPPED):
        mixed = (unmix((unmix(first << DROPPED | low) - seat) & MASK) - game) & MASK
        if older_seed(mixed, other, there) == second:
            found.append(mixed)
    return found


class Seeds(ArenaTest):
    def test_the_attack_breaks_the_older_seeds(self):
        mixed = mix(123456789)
        own = {(1, 0): older_seed(mixed, 1, 0), (2, 1): older_seed(mixed, 2, 1)}
        self.assertEqual(attack(own), [mixed])

    def test_own_seeds_do_not_reveal_those_of_others(self):
        run = self.arena("match", *player("builtin:random", name="Ann"),
                         *player("builtin:random", name="Bob"), "--games", 10, "--position",
                         "nim:3,4,5", "--jsonl", "-")
        games = self.assert_played(run, 10)
        own, others = {}, {}
        for game in games:
            for seat in (0, 1):
                mine = game["p1" if seat == 0 else "p2"] == "Ann"
                (own if mine else others)[game["game"], seat] = game["seeds"][seat]
        for mixed in attack(own):
            for (game, seat), seed in others.items():
                self.assertNotEqual(older_seed(mixed, game, seat), seed)
        self.assertNotIn(mix(games[0]["seed"]), attack(own))

    def test_a_fresh_seed_is_one_of_many(self):
        """Of 63 bits: all below 2^53 would be found by trying."""
        seeds = [self.arena("match", "builtin:random", "builtin:random", "--games", 2, "--position",
                            "nim:3", "--jsonl", "-").games()[0]["seed"] for _ in range(8)]
        self.assertGreater(max(seeds), 1 << 53)

    def test_a_record_with_seeds_of_a_later_version_is_refused(self):
        record = self.folder / "record.db"
        words = ["tournament", *player("builtin:random"), *player("builtin:random"), "--record",
                 record, "--quiet", "--analysis", 0]
        self.assertEqual(self.arena(*words).status, 0)
        with sqlite3.connect(record) as file:
            file.execute("UPDATE configuration SET value = 'sha9' WHERE name = 'seed-hash'")
        run = self.arena(*words)
        self.assertEqual(run.status, 7)
        self.assertIn("seed-hash: the record has sha9, now siphash", run.report())


if __name__ == "__main__":
    unittest.main()
