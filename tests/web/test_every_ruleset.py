"""Every ruleset that the page offers, the catalogue of the literature included: played to the end by
mouse, touch and keyboard; and marks compared with the winning moves of nim-engine.

The suite takes a part of them, and another part for each hand. All:

    NIMARENA_WEB_ALL=1 python3 -m unittest test_every_ruleset
"""
import os
import random

from playing import KeyboardTest, PlayTest, TouchTest, truth

ALL = bool(os.environ.get("NIMARENA_WEB_ALL"))
PARTS = 16
POSITIONS = 2000 if ALL else 40

# Formulas by which a number grows, or a pile becomes several: their moves are chosen from a list.
FROM_LIST = {"couples-are-forever", "euclidean-division", "triplets", "turning-corners",
             "fibonacci-nim", "staircase-nim", "silver-dollar-with-dollar", "mock-turtles", "moebius",
             "ruler", "mem", "white-knight"}


def puzzle(server, ruleset, level):
    """A sum of piles in which one can win, with two, three or four piles."""
    return server.ask("/api/puzzle", ruleset=ruleset, level=level)["position"]


class EveryRuleset:
    part = 0

    def rulesets(self):
        names = [entry["ruleset"] for entry in self.server.ask("/api/site")["rulesets"]]
        return names if ALL else names[self.part::PARTS]

    def test_is_played_to_the_end(self):
        for ruleset in self.rulesets():
            with self.subTest(ruleset):
                self.play(puzzle(self.server, ruleset, 1))
                ways, state = self.win()
                self.assertEqual(state["outcome"], "won")
                if ruleset not in FROM_LIST:
                    self.assertEqual(set(ways), {"board"})


class ByMouse(EveryRuleset, PlayTest):
    pass


class ByTouch(EveryRuleset, TouchTest):
    part = 1


class ByKeyboard(EveryRuleset, KeyboardTest):
    part = 2


# Of each pile the moves that its drawing can make, and the marks: parts with a dot, parts of a move
# that takes others too, bars under pins.
MARKS = """
return {moves: [...document.querySelectorAll("#ideal [data-move]")].map((node) => node.dataset.move),
  pieces: [...document.querySelectorAll("#board .piece")].map((piece) => {
  const keys = (name) => [...piece.querySelectorAll(name)].map((part) => part.dataset.part);
  return {pile: piece.dataset.pile, moves: piece.moves.map(({result, press}) => [result, press]),
    ideal: keys(".part.ideal"), together: keys(".part.together"),
    bars: [...piece.querySelectorAll(".run")].map((bar) => bar.dataset.result)}; })};
"""


def results_marked(piece):
    """What the marks of a pile say: the results that they stand for, and of the parts of larger moves
    all results."""
    moves = piece["moves"]
    sure = set(piece["bars"])
    for key in piece["ideal"]:
        having = [move for move in moves if key in move[1]]
        alone = having if len(having) == 1 else [move for move in having if move[1] == [key]]
        sure.update(result for result, _ in alone)
    together = set(piece["together"])
    larger = [(result, set(press)) for result, press in moves if len(press) > 1 and together & set(press)]
    return sure, larger


class EveryMark(PlayTest):
    def position(self, draw, rulesets):
        piles = []
        for ruleset in draw.sample(rulesets, draw.randint(1, 2)):
            if draw.random() < 0.5:
                piles.append(puzzle(self.server, ruleset, draw.randint(1, 2)))
            else:
                pile = self.server.ask("/api/pile", ruleset=ruleset)
                piles.append(f"{ruleset}:{pile['heap']}")
        return "+".join(piles)

    def test_is_a_winning_move_and_each_winning_move_is_marked(self):
        draw = random.Random(2000)
        rulesets = [entry["ruleset"] for entry in self.server.ask("/api/site")["rulesets"]]
        marked = 0
        for _ in range(POSITIONS):
            position = self.position(draw, rulesets)
            with self.subTest(position):
                best = truth(position)["winning_moves"]
                if best is None:
                    continue
                self.play(position, options="two,ideal")
                shown = self.run_js(MARKS)
                self.assertLessEqual(set(shown["moves"]), set(best))  # 24 are listed
                self.assertEqual(len(shown["moves"]), min(len(best), 24))
                for piece in shown["pieces"]:
                    wins = {move.split("=")[1] for move in best
                            if move.split("=")[0] == piece["pile"]}
                    drawn = {result for result, _ in piece["moves"]}
                    sure, larger = results_marked(piece)
                    hidden = wins & drawn - sure  # those take several parts, all marked
                    together = set(piece["together"])
                    self.assertLessEqual(sure, wins)
                    for result in hidden:
                        self.assertTrue(any(one == result and press <= together
                                            for one, press in larger), result)
                    for key in together:
                        self.assertTrue(any(key in press and result in wins
                                            for result, press in larger), key)
                    marked += len(wins & drawn)
        self.assertGreater(marked, POSITIONS // 2)
