"""The page of puzzles. Its hooks are listed at the top of arena/web/page/puzzles.js."""

from playing import KeyboardTest, PlayTest, READY, truth

POSITION = "#p=nim:3,4,5&set=nim&level=2"


class Solving:
    def puzzle(self, link=POSITION):
        self.open("/puzzles" + link)
        self.settled("open")

    def settled(self, state):
        self.until(f"{READY} && document.querySelector('#board').dataset.state === given[0]", state,
                   what=f"the puzzle is never {state}")

    def told(self):
        return [self.text("#status"), self.text("#reason")]

    def streak(self):
        return [self.text("#streak"), self.text("#best-streak")]


class Puzzles(Solving, PlayTest):
    def setUp(self):
        super().setUp()
        self.forget()

    def test_the_winning_move_solves_it(self):
        self.puzzle()
        self.assertEqual(self.told(), ["Only one of 12 moves wins. Find it.", ""])
        self.press(1, "s1")
        self.settled("solved")
        self.assertEqual(self.told(), ["Right: take 2 from pile 1, leaving 1.",
                                       "The XOR is 0: every move makes it something else."])
        self.assertEqual(self.streak(), ["1", "1"])
        self.look("puzzle-solved")
        self.driver.refresh()
        self.settled("open")
        self.assertEqual(self.streak(), ["1", "1"])

    def test_a_wrong_move_is_refuted_and_ends_the_streak(self):
        self.puzzle()
        self.run_js("localStorage.setItem('nimarena.streak', '{\"now\":3,\"best\":5}')")
        self.driver.refresh()
        self.settled("open")
        self.press(3, "s0")
        self.settled("failed")
        self.assertEqual(self.text("#status"),
                         "No: You take all of pile 3; the opponent takes 1 from pile 2, leaving 3, and wins.")
        self.assertEqual(self.streak(), ["0", "5"])
        self.click("#retry")
        self.settled("open")
        self.press(1, "s1")
        self.settled("solved")
        self.assertEqual(self.streak(), ["0", "5"])

    def test_equal_piles_count_once(self):
        self.puzzle("#p=nim:5,5,5")
        self.assertEqual(self.told()[0],
                         "Only one of 5 moves wins (equal piles count once). Find it.")
        self.press(2, "s0")
        self.settled("solved")

    def test_the_next_one_is_another(self):
        self.puzzle("#p=hex{0.3F}:1,2&set=kenyons-game")
        for _ in range(4):
            before = self.fields()[0]
            self.change(lambda: self.click("#next"))
            self.assertNotEqual(self.fields()[0], before)

    def test_the_move_is_shown(self):
        self.puzzle()
        self.click("#solve")
        self.settled("shown")
        self.assertEqual(self.text("#status"), "The winning move: take 2 from pile 1, leaving 1.")
        self.assertTrue(self.all("#board .ideal"))

    def test_the_next_one_is_of_the_set_and_linked(self):
        self.puzzle("#set=kayles&level=1")
        position = self.fields()[0]
        self.assertTrue(position.startswith("kayles:"), position)
        self.assertTrue(truth(position)["winning_moves"])
        self.assertIn("set=kayles&level=1", self.run_js("return location.hash"))
        self.assertIn("#p=kayles:", self.attribute("#play-it", "href"))
        self.change(lambda: self.find('#set option[value=""]').click())
        self.assertIn("set=&level=1", self.run_js("return location.hash"))

    def test_a_lost_position_is_no_puzzle(self):
        self.open("/puzzles#p=nim:1,1")
        self.settled("shown")
        self.assertEqual(self.text("#status"), "No move is known to win here: this is no puzzle.")


class PuzzlesByKeyboard(Solving, KeyboardTest):
    def test_the_winning_move_solves_it(self):
        self.puzzle()
        self.press(1, "s1")
        self.settled("solved")
        self.assertEqual(self.run_js("return document.activeElement.id"), "status")
