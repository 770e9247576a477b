"""What teaches: the rules, an example, the reason of a value, a first game, the strip of a game."""
import re

from browser import KEEPS_PICTURES
from playing import PlayTest

GAME = ["1=1", "2=3", "3=0", "1=0", "2=0"]  # of nim:3,4,5: moves 3 and 4 are mistakes


class Taught(PlayTest):
    def test_the_rules_stand_beside_the_pile(self):
        self.play("take{1,3,4}:8+octal{0.137}:5+nim:2", options="two")
        self.assertEqual(self.texts("#rules-here > p"),
                         ["Subtraction game: Take 1, 3 or 4 from a heap.",
                          "Octal game: Take 1 and leave nothing. Take 2 and leave nothing or one heap. "
                          "Take 3 and leave nothing, one heap or two heaps."])
        self.assertEqual(self.text("#rules-here details p"),
                         "Nim: Take any number of stones from one heap.")

    def test_a_code_is_drawn(self):
        self.play("octal{0.137}:9+hex{4.8[2]}:9+kayles:4", options="two")
        self.assertEqual([" ".join(text.split()) for text in self.texts(".code-picture tr")],
                         ["take 1 2 3", "leave nothing ● ● ●", "one heap ● ●", "two heaps ●",
                          "take 0 1 2 …", "one heap ●", "two heaps ●", "three heaps ●"])
        self.look("code")

    def test_an_example_of_a_move(self):
        self.play("nim:5", options="two")
        self.click("#example")
        self.wait_text("#status", "For example, in pile 1: take 3, leaves 2.")
        self.assertTrue(self.all("#board .hinted"))

    def test_columns_that_decide_are_marked(self):
        self.play("nim:3,4,5", options="two,why")
        self.assertEqual(self.texts("#columns .odd"), ["1", "0", "0", "1"])

    def test_a_value_is_explained_by_the_moves(self):
        self.play("kayles:3", options="two,why")
        self.click("#mex summary")
        self.until("document.querySelector('#mex table')")
        self.assertEqual(self.texts("#mex tbody tr"),
                         ["*0 1,1", "*1 1", "*2 2", "*3 no move: so this is its value"])
        self.look("mex")

    def test_a_genus_is_explained(self):
        self.play("kayles:5,4+nim:2 misere", options="two,why")
        self.assertTrue(self.text("#why").count("A genus is the value in normal play"))
        self.assertEqual(self.texts("#genus .words"), ["wins", "loses", "wins"])
        self.look("genus")

    def test_a_first_game_is_won_by_its_lead(self):
        self.play("nim:3")
        self.click("#first-game")
        self.until("location.hash.includes('nim:1,2,4')")
        self.ready()
        self.look("first-game")
        for _ in range(10):
            state = self.ready()
            if state["outcome"] is not None:
                break
            led = re.match(r"Hint: take \w+ (?:from|of) pile (\d+)(?:, leaving (\d+))?\. Then .*[^.]\.$",
                           self.text("#lead"))
            self.assertTrue(led, self.text("#lead"))
            self.make(f"{led[1]}={led[2] or 0}", state)
        self.assertEqual(self.ready()["outcome"], "won")

    def test_why_a_move_was_wrong(self):
        self.play("nim:3,4,5", GAME, options="two")
        self.change(lambda: self.click("#outcome button"))
        self.assertEqual(self.position(), "nim:1,3,0")
        self.wait_text("#lead", "Hint: take 2 from pile 2, leaving 1. Then the XOR is 0: every move makes it "
                       "something else.")
        self.assertTrue(self.text("#why").startswith("The XOR is not 0"))


class TheStrip(PlayTest):
    def told(self):
        return self.text("#strip-told")

    def test_it_marks_turning_points_and_steps_by_arrow_keys(self):
        self.play("nim:3,4,5", GAME, options="two")
        self.assertEqual([node.get_attribute("data-turn") for node in self.all("#strip .turning")],
                         ["3", "4"])
        below = [self.run_js(f"return document.querySelector('{part}').getBoundingClientRect().top")
                 for part in ("#strip-heading", "#strip-moves", "#strip-told")]
        self.assertEqual(below, sorted(below), "each part has the whole width")
        self.find('#strip [data-turn="5"]').send_keys("\ue012")  # left
        self.until("location.hash.includes('n=4')")
        self.ready()
        self.assertEqual(self.position(), "nim:0,3,0")
        self.assertEqual(self.told(), "Move 4: Player 2 takes all of pile 1. A turning point! Then Player 1 "
                         "could win; the value was *3. Right was: take 2 from pile 2, leaving 1.")
        self.assertEqual(self.run_js("return document.activeElement.dataset.turn"), "4")
        self.screen({"width": 1920, "height": 1080, "deviceScaleFactor": 1, "mobile": False})
        self.assertEqual(self.run_js("return document.documentElement.scrollWidth"), 1920)
        if KEEPS_PICTURES:
            self.picture("strip-projector")

    def test_a_cell_tells_its_value_on_focus(self):
        self.play("nim:3,4,5", GAME, options="two")
        self.run_js("""document.querySelector('#strip [data-turn="0"]').focus()""")
        self.assertEqual(self.told(), "At the start Player 1 could win; the value was *2.")

    def test_play_goes_on_from_there(self):
        self.play("nim:3,4,5", GAME, options="two")
        self.assertFalse(self.find("#play-on").is_enabled())
        self.change(lambda: self.click('#strip [data-turn="2"]'))
        self.change(lambda: self.click("#play-on"))
        self.assertEqual(self.fields()[1], GAME[:2])
        self.assertFalse(self.shown("#strip"))
        self.make("3=2")
        self.assertEqual(self.position(), "nim:1,3,2")
