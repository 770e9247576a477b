"""The buttons of a game: undo, redo, hint, give up, again, sides; and the review."""
from playing import PlayTest, address, truth


class Game(PlayTest):
    def enabled(self):
        return [name for name in ("undo", "redo", "hint", "give-up", "again", "swap")
                if self.find(f"#{name}").is_enabled()]

    def test_undo_and_redo(self):
        self.play("nim:1,3,5,7")
        self.assertEqual(self.enabled(), ["hint", "give-up", "swap"])
        self.make("4=6")
        played = self.fields()[1]
        self.assertEqual(len(played), 2)
        self.assertRegex(self.state()["status"],
                         rf"^The opponent takes \w+ (from|of) pile {played[1].split('=')[0]}[,.]")
        self.change(lambda: self.click("#undo"))
        self.assertEqual(self.state()["status"], "Back at the start. Your move.")
        self.wait_piles(["1", "3", "5", "7"])
        self.assertEqual(self.enabled(), ["redo", "hint", "give-up", "again", "swap"])
        self.change(lambda: self.click("#redo"))
        self.assertEqual(self.fields()[1], played)
        self.assertNotIn("After", self.state()["status"])

    def test_an_earlier_move_is_shown_and_continued(self):
        self.play("nim:1,3,5,7", ["4=6", "4=4", "2=1", "2=0"])
        self.assertEqual(self.position(), "nim:1,0,5,4")
        self.change(lambda: self.click('#moves [data-ply="2"]'))
        self.wait_piles(["1", "3", "5", "4"])
        self.assertEqual(self.state()["status"].split(". ")[0], "After move 2 of 4")
        self.assertEqual([node.get_attribute("data-ply")
                          for node in self.all("#moves [aria-current='step']")], ["2"])
        self.make("3=2")
        self.assertEqual(self.fields()[1][:3], ["4=6", "4=4", "3=2"])
        self.change(lambda: self.click('#moves [data-ply="1"]'))
        self.assertEqual(self.state()["status"], "After move 1 of 4. The opponent is to move.")
        self.change(lambda: self.click("#start"))
        self.wait(lambda: len(self.fields()[1]) == 2 and self.state()["ready"])
        self.assertEqual(self.state()["status"].split(". ")[-1], "Your move.")

    def test_hints(self):
        self.play("nim:1,3,4")
        self.click("#hint")
        self.wait_text("#status", "Hint: take 2 from pile 3, leaving 2. Then the XOR is 0: every move makes it "
                       "something else.")
        self.assertEqual(self.run_js("return [...document.querySelectorAll('.hinted')].map("
                                     "(node) => node.dataset.part)"), ["s2"])
        self.look("hint")
        self.play("nim:2,2")
        self.click("#hint")
        self.wait_text("#status",
                       "No hint: every move loses against perfect play. Any move will do.")

    def test_giving_up_and_again(self):
        self.play("nim:1,3,4")
        self.make("1=0")
        self.click("#give-up")
        state = self.ready()
        self.assertEqual(state["outcome"], "lost")
        self.assertEqual(state["told"][0], "You gave up,")
        self.assertIn("because move 1 (take all of pile 1) gave it away", state["told"][1])
        self.change(lambda: self.click("#again"))
        self.assertEqual(self.fields()[:2], ("nim:1,3,4", []))
        self.assertIsNone(self.state()["outcome"])

    def test_the_opponent_begins(self):
        self.play("nim:1,3,4")
        self.click("label:has(#first-other)")
        self.wait(lambda: self.shown("#start"))
        self.assertEqual(self.state()["status"], "The opponent is to move.")
        self.look("opponent-begins")
        self.change(lambda: self.click("#start"))
        self.wait(lambda: self.fields()[1] == ["3=2"] and self.state()["ready"])
        self.assertEqual(self.fields()[2], "perfect,second")

    def test_the_opponent_begins_once(self):
        self.play("nim:1,3,4", ["1=0"], options="random,second")
        self.addCleanup(self.leave)
        self.run_js("""const ask = window.fetch;
          window.replies = 0;
          window.fetch = async (path, init) => {
            if (path === "/api/reply") window.replies++;
            const isStart = path === "/api/evaluate" && JSON.parse(init.body).moves.length === 0;
            if (isStart) await new Promise((done) => { window.goOn = done; });
            const answer = await ask(path, init);
            if (!isStart) return answer;
            const text = await answer.text();
            setTimeout(() => { window.hasGoneOn = true; });  // once the page has taken it in
            return {ok: answer.ok, status: answer.status, headers: answer.headers, text: () => text};
          };""")
        self.click("#show-sum")
        self.ready()
        self.click("#again")
        self.until("window.goOn !== undefined")  # the value of the start takes its time
        self.click("#start")
        self.wait(lambda: len(self.fields()[1]) == 1)
        self.ready()
        self.run_js("window.goOn()")
        self.until("window.hasGoneOn === true")
        self.assertEqual(self.run_js("return window.replies"), 1)
        self.assertEqual(self.state()["status"].split(". ")[-1], "Your move.")

    def test_sides_are_changed(self):
        self.play("nim:1,3,4")
        self.make("3=3")
        self.assertEqual(len(self.fields()[1]), 2)
        self.click("#swap")
        self.wait(lambda: len(self.fields()[1]) == 3 and self.state()["ready"])
        self.assertEqual(self.fields()[2], "perfect,second")
        self.assertEqual(self.state()["status"].split(". ")[-1], "Your move.")

    def test_two_people_play(self):
        self.play("nim:1,2", options="two")
        self.assertEqual(self.state()["status"], "Player 1 to move.")
        self.make("2=1")
        self.assertEqual(self.state()["status"], "Player 1 takes 1 from pile 2, leaving 1. Player 2 to move.")
        self.make("1=0")
        self.make("2=0")
        state = self.state()
        self.assertEqual(state["outcome"], "player-1")
        self.assertEqual(state["told"][0], "Player 1 won")
        self.assertEqual(self.enabled(), ["undo", "again"])

    def test_the_notation_is_behind_a_switch_that_is_remembered(self):
        shown = "return document.querySelector('#moves li').innerText"
        self.play("nim:1,2", ["2=1"], options="two,ideal")
        self.assertEqual(self.run_js(shown), "Player 1 takes 1 from pile 2, leaving 1")
        self.click("#show-notation")
        self.assertEqual(self.run_js(shown), "Player 1 takes 1 from pile 2, leaving 1 2=1")
        self.driver.refresh()
        self.ready()
        self.assertEqual(self.run_js(shown), "Player 1 takes 1 from pile 2, leaving 1 2=1")
        self.click("#show-notation")
        self.assertEqual(self.run_js(shown), "Player 1 takes 1 from pile 2, leaving 1")

    def test_a_drawn_game_ends(self):
        position = "graph{a->b;b->a}:a"
        self.assertEqual(truth(position)["outcome"], "D")
        self.play(position, options="two")
        for move in ("1=b", "1=a", "1=b", "1=a"):
            self.make(move)
        state = self.state()
        self.assertEqual(state["outcome"], "draw")
        self.assertEqual(state["told"], ["A draw", "The same position came for the third time."])
        self.look("draw")

    def test_illegal_text_is_refused(self):
        self.allow("status of 400")
        self.play("nim:1,3,4")
        self.fill(2, "9")
        self.wait(lambda: self.text("#move-error"))
        told = self.server.ask("/api/game", position="nim:1,3,4", moves=["2=9"])["error"]
        self.assertEqual(self.text("#move-error"), told["text"])
        self.look("move-error")
        self.write("#move-filter", "1")
        self.wait(lambda: self.texts("#move-results [data-result]") == ["1"])
        self.change(lambda: self.click('#move-results [data-result="1"]'))
        self.wait(lambda: self.fields()[1][:1] == ["2=1"])
        self.ready()

    def test_a_long_list_is_paged(self):
        self.play("nim:1000", options="two,ideal")
        self.click("#by-text summary")
        self.wait(lambda: len(self.all("#move-results [data-result]")) == 200)
        self.assertEqual(self.run_js("""return getComputedStyle(
          document.querySelector("#move-results .ideal"), "::after").content"""), "none", "a dot is of the board")
        self.assertEqual(self.text("#move-count"), "200 of 1,000")
        self.click("#move-more")
        self.wait(lambda: len(self.all("#move-results [data-result]")) == 400)

    def test_more_that_is_pressed_twice_skips_no_move(self):
        self.load(address("nim:1000", options="two"))
        self.click("#by-text summary")
        self.wait(lambda: len(self.all("#move-results [data-result]")) == 200)
        self.addCleanup(self.leave)
        self.run_js("""const ask = window.fetch;
          window.pages = 0;
          window.fetch = async (path, init) => {
            const answer = await ask(path, init);
            const text = await answer.text();
            setTimeout(() => window.pages++);  // once the page has taken it in
            return {ok: answer.ok, status: answer.status, headers: answer.headers, text: () => text};
          };
          const more = document.querySelector("#move-more");
          more.click();
          more.click();""")
        self.until("window.pages === 2")
        listed = self.run_js("""return [...document.querySelectorAll("#move-results [data-result]")]
          .map((node) => node.dataset.result)""")
        self.assertEqual(listed, [str(left) for left in range(400)])
