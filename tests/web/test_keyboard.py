"""Moves and a whole game by keyboard only, without a click."""
from selenium.webdriver.common.keys import Keys

from kinds import AS_TEXT, KINDS
from playing import KeyboardTest, same_heaps, truth

# A small sum of each drawing; and of each of its piles the label, and its parts with theirs.
DRAWINGS = ("nim:2+kayles:3+dawson-kayles:4+lasker:2+wythoff:(1,2)+cookie:(1,2)+graph{a->b;b}:a"
            "+rules{n->n-k:k>=1&2*k<=n}:3+notakto:xoo_oxx_oxo+nim:1000000000000000000")
LABELS = [
    ["Pile 1: Nim 2", "s0: take 2, leaves 0", "s1: take 1, leaves 1"],
    ["Pile 2: Kayles 3", "s0: pin 1 of 3", "s1: pin 2 of 3", "s2: pin 3 of 3"],
    ["Pile 3: Dawson's Kayles 4", "s0: take pins 1 to 2, leaves 2", "s1: pin 2 of 4",
     "s2: pin 3 of 4", "s3: take pins 3 to 4, leaves 2"],
    ["Pile 4: Lasker's nim 2", "s0: take 2, leaves 0", "g1: split into 1 and 1",
     "s1: take 1, leaves 1"],
    ["Pile 5: Wythoff's game (1,2)", "c0,2: queen to 0, 2", "c1,0: queen to 1, 0",
     "c1,1: queen to 1, 1", "c0,1: queen to 0, 1"],
    ["Pile 6: The cookie game (1,2)", "s0: eat cookie 1 of 1, leaves (0,1)",
     "s1: eat cookie 2 of 2, leaves (0,0)"],
    ["Pile 7: Moves on a graph a", "v1: move to b"],
    ["Pile 8: Take at most half 3", "e0.2: take 1, leaves 2"],
    ["Pile 9: Notakto xoo_oxx_oxo", "c1,2: write x in row 1, column 2",
     "c2,2: write x in row 1, column 3", "c0,1: write x in row 2, column 1",
     "c0,0: write x in row 3, column 1", "c2,0: write x in row 3, column 3"],
    ["Pile 10: Nim 1000000000000000000"],
]
READ_LABELS = """
const label = (node) => node.getAttribute("aria-label");
const labels = (selector) => [...document.querySelectorAll(selector)].map(label);
return {
  pieces: [...document.querySelectorAll("#board .piece")].map((piece) => [label(piece),
    ...[...piece.querySelectorAll(".part")].map((part) => `${part.dataset.part}: ${label(part)}`)]),
  lists: labels("#board [data-list]"), removes: labels("#board [data-remove]"),
  ideal: [...document.querySelectorAll("#ideal [data-move]")].map((node) => node.innerText),
  results: labels("#move-results [data-result]"),
};
"""


class Keyboard(KeyboardTest):
    def click(self, selector):
        self.fail(f"{selector} was to be clicked")

    def test_makes_a_move_on_every_drawing_and_by_text(self):
        for kind, position in KINDS.items():
            if kind in AS_TEXT:
                continue
            with self.subTest(kind):
                pile, result = truth(position)["winning_moves"][0].split("=")
                self.play(position)
                _, state = self.make(f"{pile}={result}")
                made = self.fields(state["hash"])[1][0].split("=")
                self.assertEqual(made[0], pile)
                self.assertTrue(same_heaps(made[1], result), made)

    def test_sets_up_a_sum_and_gives_up(self):
        self.play("nim:3")
        self.tab_to('#rulesets input[name="ruleset"]')
        for _ in range(40):
            if self.run_js("return document.activeElement.dataset.ruleset") == "kayles":
                break
            self.keys(Keys.ARROW_RIGHT)
        self.tab_to("#size")
        self.keys("6")
        self.change(lambda: self.keys(Keys.ENTER))
        self.assertEqual(self.fields()[0], "nim:3+kayles:6")
        self.tab_to("#show-piles")
        self.change(lambda: self.keys(Keys.SPACE))
        self.wait(lambda: [p["value"] for p in self.state()["pieces"]]
                  == [f"*{heap['nimber']}" for heap in truth("nim:3+kayles:6")["heaps"]])
        self.tab_to("#opponent")
        self.change(lambda: self.choose("#opponent", "two"))
        self.tab_to("[data-remove='1']")
        self.change(lambda: self.keys(Keys.ENTER))
        self.assertEqual(self.fields()[0], "kayles:6")
        self.tab_to("#give-up")
        self.keys(Keys.ENTER)
        self.assertEqual(self.ready()["told"][0], "Player 2 won")

    def test_screen_readers_are_told_what_everything_does(self):
        self.play(DRAWINGS)
        told = self.run_js(READ_LABELS)
        self.assertEqual(told["pieces"], LABELS)
        self.assertEqual(told["lists"], ["list of what pile 10 can become"])
        self.assertEqual(told["removes"],
                         [label.replace("Pile", "remove pile").replace(":", ",")
                          for label, *_ in LABELS])
        self.play("nim:2+kayles:3", options="two,sum,ideal")
        self.run_js("document.querySelector('#by-text').open = true")
        self.until("document.querySelector('#move-results [data-result]')")
        told = self.run_js(READ_LABELS)
        self.assertEqual(told["pieces"], [
            ["Pile 1: Nim 2", "s0: take 2, leaves 0", "s1: take 1, leaves 1"],
            ["Pile 2: Kayles 3", "s0: pin 1 of 3, ideal alone", "s1: pin 2 of 3", "s2: pin 3 of 3, ideal alone"]])
        self.assertEqual(told["ideal"], ["take 1 from pile 2, leaving 2"])
        self.assertEqual(told["results"], ["0 *3: pile 1 becomes 0, leaves *3",
                                           "1 *2: pile 1 becomes 1, leaves *2"])

    def test_moves_are_grouped_by_pile_and_filtered(self):
        self.play("take{1,3}:1000000000000000000+nim:2+take{1,2}:1000000000000000000",
                  options="two")
        self.tab_to("[data-list]")
        self.keys(Keys.ENTER)
        listed = """return [...document.querySelectorAll("#move-results ul")].map((group) =>
          [group.ariaLabel, ...[...group.querySelectorAll("[data-result]")].map((move) =>
            move.dataset.result.slice(-2))])"""
        self.wait(lambda: self.run_js(listed) == [["What pile 1 can become", "99", "97"],
                                                  ["What pile 3 can become", "99", "98"]])
        self.tab_to("#move-filter")
        self.keys("8")
        self.wait(lambda: self.run_js(listed) == [["What pile 3 can become", "98"]])
        self.keys(Keys.BACKSPACE, *[Keys.ARROW_DOWN] * 3, Keys.ARROW_RIGHT)
        self.change(lambda: self.keys(Keys.ENTER))
        self.assertEqual(self.fields()[1], ["3=999999999999999998"])

    def test_the_skip_link_leads_to_the_game(self):
        self.load("/#p=nim:3")
        self.keys(Keys.TAB)
        self.assertEqual(self.run_js("return document.activeElement.textContent"),
                         "Skip to the game")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.focused("#status"))
        self.assertEqual(self.fields()[0], "nim:3")
        self.assertEqual(self.ready()["status"], "Your move.")
