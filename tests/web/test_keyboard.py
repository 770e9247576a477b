"""Whole games by keyboard only, without a click."""
from selenium.webdriver.common.keys import Keys

from kinds import KINDS
from playing import KeyboardTest, truth


class Keyboard(KeyboardTest):
    def click(self, selector):
        self.fail(f"{selector} was to be clicked")

    def test_wins_with_every_kind_of_pile(self):
        for kind, position in KINDS.items():
            with self.subTest(kind):
                self.play(position)
                self.win()
                self.assertEqual(self.state()["told"], ["You won", "You made no mistake."])

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

    def test_the_skip_link_leads_to_the_game(self):
        self.play("nim:3")
        self.keys(Keys.TAB)
        self.assertEqual(self.run_js("return document.activeElement.textContent"),
                         "Skip to the game")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.focused("#status"))
        self.assertEqual(self.fields()[0], "nim:3")
        self.assertEqual(self.ready()["status"], "Your move.")
