"""Whatever cannot be done is told: by the status above the board, or beside it."""
import signal

from playing import PlayTest, address


class Told(PlayTest):
    def press_while_the_server_stands_still(self):
        self.play("nim:3,4,5", options="two")
        self.server.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.server.process.send_signal, signal.SIGCONT)
        self.press(3, "s4")

    def status_becomes(self, words):
        self.until("document.querySelector('#status').textContent === given[0]", words,
                   what=f"the status never is {words!r}")

    def test_the_last_pile_stays(self):
        self.play("nim:3", options="two")
        self.click('[data-remove="1"]')
        self.status_becomes("One pile must stay: add another one first.")
        self.wait_text("#add-error", "One pile must stay: add another one first.")
        self.assertEqual(self.position(), "nim:3")

    def test_a_stone_that_cannot_be_taken(self):
        self.play("take{3}:2+nim:1", options="two")
        self.click('#board .piece[data-pile="1"] [data-part="s1"]')
        self.status_becomes("No move of this pile can be made here.")

    def test_the_bot_of_a_link_is_not_here(self):
        self.load(address("nim:1,2", options="bot:7"))
        self.assertEqual(self.state()["status"],
                         "The opponent of this link, bot:7, is not offered here.")
        self.change(lambda: self.click('#problem [data-action="perfect"]'))
        self.assertEqual(self.state()["status"], "Your move.")
        self.assertEqual(self.fields()[2], "perfect")

    def test_each_page_tells_that_the_server_does_not_answer(self):
        words = "The server has not answered yet: still waiting…"
        for page, at, button, told in (("/#p=nim:3,4,5&o=two", "#board", "#hint", "#status"),
                                       ("/puzzles#p=nim:3,4,5", "#board", "#next", "#status"),
                                       ("/explore#rules=nim", "#picture", "#wanted button", "#caption")):
            with self.subTest(page):
                self.open(page)
                is_ready = f"document.querySelector('{at}').dataset.ready === 'true'"
                self.until(is_ready)
                self.server.process.send_signal(signal.SIGSTOP)
                self.addCleanup(self.server.process.send_signal, signal.SIGCONT)
                self.click(button)
                self.until("document.querySelector(given[0]).textContent === given[1]", told, words)
                self.server.process.send_signal(signal.SIGCONT)
                self.until(f"{is_ready} && document.querySelector(given[0]).textContent !== given[1]",
                           told, words)

    def test_a_move_outlives_a_reload(self):
        self.press_while_the_server_stands_still()
        self.until("location.hash.includes('m=3=4')", what="the move is not in the address")
        self.server.process.send_signal(signal.SIGCONT)
        self.driver.refresh()
        self.ready()
        self.assertEqual(self.position(), "nim:3,4,4")
        self.allow("Failed to load resource")
