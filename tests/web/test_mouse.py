"""Whole games by mouse: every kind of pile, won against perfect play and lost to it."""

from selenium.webdriver.common.action_chains import ActionChains

from kinds import AS_TEXT, KINDS
from playing import PlayTest, address, truth


class Mouse(PlayTest):
    def test_squares_are_taken_from_a_strip(self):
        self.play("treblecross:7+dawson-chess:4+kayles:2", options="two")
        self.assertEqual(len(self.all("#board .square-pin")), 11)
        self.assertEqual(self.attribute("#board [data-part='s0']", "title"), self.run_js(
            "return document.querySelector('#board .square-pin').ariaLabel"))
        self.assertIn("square", self.attribute("#board [data-part='s3']", "title"))

    def test_wins_with_every_kind_of_pile(self):
        for kind, position in KINDS.items():
            with self.subTest(kind):
                self.assertEqual(truth(position)["outcome"], "N")
                self.play(position)
                ways, state = self.win()
                self.assertEqual("text" in ways, kind in AS_TEXT, ways)
                self.assertEqual(state["outcome"], "won", state["status"])
                self.assertEqual(state["told"], ["You won", "No move of yours was a mistake."])
                self.assertEqual(state["status"], "You won. No move of yours was a mistake.")

    def test_loses_a_won_game_by_one_move(self):
        self.play("nim:1,3,4", options="perfect,tell")
        state = self.state()
        self.assertEqual(state["status"], "Your move.")
        self.assertEqual(self.text("#goal"), "Whoever makes the last move wins.")
        self.assertFalse(self.run_js("return document.querySelector('#how').hidden"))
        right = truth("nim:1,3,4")["winning_moves"]
        self.make("1=0")
        self.assertNotIn("1=0", right)
        self.assertEqual(right, ["3=2"])
        words = "take 2 from pile 3, leaving 2"
        note = f"Your move 1 was a mistake; right was: {words}."
        self.wait_text("#note", note)
        self.assertTrue(self.run_js("return document.querySelector('#how').hidden"))
        _, state = self.play_on(lambda position: truth(position)["refutations"][0]["move"])
        self.assertEqual(state["outcome"], "lost")
        self.assertEqual(state["told"], [
            "You lost,", f"because move 1 (take all of pile 1) gave it away; right was: {words}.",
            "Why was it wrong?"])
        self.assertIn("You lost, because move 1 (take all of pile 1) gave it away", state["status"])
        self.assertEqual(state["moves"][0], f"You take all of pile 1 1=0: mistake; right: {words} 3=2")
        self.assertTrue(self.all("#strip .turning"))
        self.look("lost")

    def test_loses_a_lost_game(self):
        self.play("nim:1,2,3 misere")
        self.assertEqual(self.text("#goal"), "Whoever makes the last move loses.")
        _, state = self.play_on(lambda position: truth(position)["refutations"][0]["move"])
        self.assertEqual(state["told"], [
            "You lost", "No move of yours was a mistake: the start was lost.",
            "Play a first game you can win"])
        self.assertEqual(self.text("#strip-told").split(". ")[-1], "Then the game is over.")
        self.change(lambda: self.click("#outcome button"))
        self.assertEqual(self.fields(), ("nim:1,2,4", [], "eps:0.6,why,tell,lead"))

    def test_wins_with_the_animations(self):
        self.screen(still=False)
        self.play("kayles:4+wythoff:(2,3)+nim:3")
        _, state = self.win()
        self.assertEqual(state["outcome"], "won")

    def test_animates_nothing_with_reduced_motion(self):
        # Counts every animation that starts, not only those that a snapshot would catch.
        self.command("Page.enable")
        watch = self.command("Page.addScriptToEvaluateOnNewDocument", source="""
          window.__animations = [];
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...given) {
            window.__animations.push("animate()"); return animate.apply(this, given); };
          for (const kind of ["animationstart", "transitionrun"])
            document.addEventListener(kind, (event) => window.__animations.push(
              `${kind} ${event.animationName ?? event.propertyName} ${event.target.className}`));""")
        try:
            self.load(address("kayles:5+wythoff:(2,4)+nim:3"))
            self.win()
            self.assertEqual(self.run_js("return document.getAnimations().length"), 0)
            self.assertEqual(self.run_js("return window.__animations"), [])
        finally:
            self.command("Page.removeScriptToEvaluateOnNewDocument",
                         identifier=watch["identifier"])

    def test_drawings_fit_a_phone_and_a_projector(self):
        self.play("grundy:3+wythoff:(12,9)+lasker:4+arc-kayles{a->b;b->c}:7", options="two")
        size = """return arguments[0].map((selector) =>
          document.querySelector(`#board ${selector}`).getBoundingClientRect().width)"""
        widths = []
        for width in (360, 1280, 1920):
            self.screen({"width": width, "height": 900, "deviceScaleFactor": 1,
                         "mobile": width == 360})
            cut = self.run_js("""return [...document.querySelectorAll("#board .drawing")].filter(
              (node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.className)""")
            self.assertEqual(cut, [], f"wider than a screen of {width}")
            widths.append(self.run_js(size, ['[data-pile="3"] .stone', '[data-pile="4"] .graph']))
        _, wide, projector = widths
        self.assertGreater(wide[0], 40, "cuts between stones make them no smaller")
        self.assertGreater(projector[1], wide[1] * 1.2)
        self.assertEqual(self.shown('[data-pile="4"] .heap'), False)

    def test_parts_of_a_drawing_narrow_the_moves_to_one(self):
        self.play("cram:ooo_ooo+moore{3}:(2,3,4)", options="two,ideal")
        self.press(1, "c1,1")
        self.assertEqual(self.state()["status"], "Row 1, column 2 chosen: choose another part too.")
        self.assertEqual(self.parts_with("next"), ["c0,1", "c1,0", "c2,1"])
        self.look("cells-chosen")
        self.press(1, "c1,1")
        self.assertEqual(self.state()["status"], "Nothing is chosen.")
        self.press(2, "e0.1")
        self.assertEqual(self.text("[data-take]"), "Take 1")
        self.press(2, "e1.1")
        self.press(2, "e1.0")  # another of the same row takes its place
        self.assertEqual(self.parts_with("chosen"), ["e0.1", "e1.0", "e1.1", "e1.2"])

    def parts_with(self, name):
        return sorted(self.run_js("""return [...document.querySelectorAll(`.${arguments[0]}`)]
          .map((node) => node.dataset.part)""", name))

    def test_shows_what_falls_before_an_edge_is_cut(self):
        self.play("hackenbush{ground->a;a->b,c;b->c;ground->d}:31", options="two,ideal")
        label = self.attribute('[data-part="e0"]', "aria-label")
        self.assertEqual(label, "cut ground–a, a–b, a–c and b–c fall, ideal"
                         if "1=16" in truth("hackenbush{ground->a;a->b,c;b->c;ground->d}:31")
                         ["winning_moves"] else "cut ground–a, a–b, a–c and b–c fall")
        self.hover('[data-part="e0"]')
        self.assertEqual(self.parts_with("aimed"), ["e0", "e1", "e2", "e3"])
        self.look("edge-aimed")
        self.change(lambda: self.press(1, "e0"))
        self.assertEqual(self.fields()[1], ["1=16"])

    def hover(self, selector):
        ActionChains(self.driver).move_to_element(self.find(selector)).perform()

    def test_a_row_is_cut_twice(self):
        self.play("hex{0.8F}:6", options="two,ideal")
        self.assertTrue(self.all("#board .gap.together[data-part='g4']"))
        self.press(1, "s1")
        self.assertEqual(self.state()["status"], "Pin 2 chosen: choose a neighbour or a cut too.")
        self.press(1, "g4")
        self.assertEqual(self.text("[data-take]"), "Take 1, ideal")
        self.click("[data-take]")
        self.wait(lambda: self.fields()[1] == ["1=1,2,2"] and self.state()["ready"])

    def test_a_pass_has_a_button(self):
        self.play("pass{0.77}:(5,2)", options="two")
        self.click("#board [data-pass]")
        self.wait(lambda: self.fields()[1] == ["1=(5,1)"] and self.state()["ready"])
        self.assertEqual(self.state()["status"],
                         "Player 1 passes in pile 1, leaving 1 of its passes. Player 2 to move.")

    def test_a_small_set_of_neighbours_can_be_chosen(self):
        self.play("kayles:7", options="two")
        self.press(1, "s2")
        self.assertEqual(self.state()["status"],
                         "Pin 3 chosen: choose it again, or a neighbour too.")
        self.look("neighbours-chosen")
        self.change(lambda: self.click("[data-take]"))
        self.assertEqual(self.fields()[1], ["1=2,4"])
        self.wait_piles(["2", "4"])
        self.press(2, "s0")
        self.click("[data-cancel]")
        self.assertEqual(self.all(".chosen"), [])
        self.press(2, "s0")
        self.change(lambda: self.press(2, "s1"))
        self.assertEqual(self.position(), "kayles:2,2")
