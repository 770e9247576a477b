"""The address holds the game: links restore it, Back and Forward work, broken ones show an error."""
from playing import PlayTest, address


# The answer to /api/site comes when the test calls __go().
HOLD_SITE = """{
  const real = window.fetch, going = new Promise((go) => { window.__go = go; });
  window.fetch = async (path, ...rest) => {
    if (path === "/api/site") await going;
    return real(path, ...rest);
  };
}"""


class Links(PlayTest):
    def test_a_link_restores_a_game(self):
        self.load(address("kayles:7+nim:3 misere", ["1=2,4", "3=1"], "eps:0.4,second,sum,piles,tell", 1))
        state = self.state()
        self.assertEqual([piece["heap"] for piece in state["pieces"]], ["2", "4", "3"])
        self.assertEqual(len(state["moves"]), 2)
        self.assertEqual(self.attribute("#opponent", "value"), "eps")
        self.assertEqual(self.text("#eps-value"), "40 %")
        self.assertEqual(self.run_js(
            "return [...document.querySelectorAll('input:checked')].map((node) => node.id)"
            ".filter((id) => id)"), ["first-other", "misere", "show-sum", "show-piles", "show-tell"])

    def test_it_is_ready_once_the_opponents_are_there(self):
        self.command("Page.enable")
        hold = self.command("Page.addScriptToEvaluateOnNewDocument", source=HOLD_SITE)
        try:
            self.open(address("nim:1,3,4"))
            self.until("document.querySelector('#status').textContent === 'Your move.'")
            self.assertFalse(self.state()["ready"])
            self.assertEqual(self.all("#opponent option"), [])
            self.run_js("__go()")
            self.assertEqual(len(self.ready()["pieces"]), 3)
            self.assertNotEqual(self.all("#opponent option"), [])
        finally:
            self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=hold["identifier"])

    def test_the_pages_are_light(self):
        for page in ("/", "/puzzles", "/explore", "/bot"):
            self.open(page)
            self.until("location.pathname === given[0] && document.readyState === 'complete'", page)
            bytes_ = self.run_until("""const done = arguments[0];
              const names = performance.getEntriesByType("resource").map(({name}) => name)
                .filter((name) => !name.includes("/api/"));
              Promise.all([location.href, ...names].map((name) => fetch(name).then((it) => it.arrayBuffer())))
                .then((all) => done(all.reduce((sum, {byteLength}) => sum + byteLength, 0)));""",
                what="its parts are not read")
            self.assertGreater(bytes_, 30_000, page)
            self.assertLess(bytes_, 250_000, page)

    def test_back_and_forward(self):
        self.play("nim:1,2,4", options="two")
        self.make("3=3")
        self.make("1=0")
        self.assertEqual(self.position(), "nim:0,2,3")
        self.driver.back()
        self.wait_piles(["1", "2", "3"])
        self.driver.back()
        self.wait_piles(["1", "2", "4"])
        self.driver.forward()
        self.wait_piles(["1", "2", "3"])
        self.assertEqual(self.fields()[1], ["3=3"])

    def test_back_over_another_sum(self):
        self.play("nim:1,2,4", options="two")
        self.run_js("document.querySelector('[data-example=\"take{1,3,4}:21\"]').click()")
        self.wait_piles(["21"])
        self.driver.back()
        self.wait_piles(["1", "2", "4"])

    def test_a_broken_position_is_shown(self):
        self.allow("status of 400")
        self.load(address("nim:3,x"))
        told = self.server.ask("/api/game", position="nim:3,x", moves=[])["error"]
        self.assertEqual(self.attribute("#problem", "data-kind"), "error")
        self.assertIn(told["text"][1:], self.text("#problem"))
        self.assertEqual(self.text("#problem mark"), "x")
        self.look("broken-link")
        self.click('#problem [data-action="new"]')
        self.wait_piles(["1", "3", "5", "7"])
        self.assertFalse(self.shown("#problem"))

    def test_a_broken_move_is_shown(self):
        self.allow("status of 400")
        self.load(address("nim:3,4", ["1=2", "1=9"]))
        told = self.server.ask("/api/game", position="nim:3,4", moves=["1=2", "1=9"])["error"]
        self.assertIn(told["text"][1:], self.text("#problem"))
        self.click('#problem [data-action="new"]')
        self.wait_piles(["3", "4"])

    def test_markup_in_a_link_is_text(self):
        self.allow("status of 400")
        for position in ("<img src=x onerror=alert(1)>", "nim:3<script>alert(1)</script>"):
            self.load(address(position, [position], f"{position},<b>"))
            self.assertTrue(self.shown("#problem"))
            self.assertEqual(self.all("main img, main script, main b > b"), [])

    def test_a_lost_server_is_shown_and_asked_again(self):
        self.allow("ERR_", "Failed to load")
        self.play("nim:3,4", options="two")
        self.command("Network.enable")
        self.command("Network.emulateNetworkConditions", offline=True, latency=0,
                     downloadThroughput=-1, uploadThroughput=-1)
        try:
            self.press(1, "s0")
            self.wait(lambda: self.shown("#problem"))
            self.assertIn("The server cannot be reached.", self.text("#problem"))
        finally:
            self.command("Network.emulateNetworkConditions", offline=False, latency=0,
                         downloadThroughput=-1, uploadThroughput=-1)
        self.change(lambda: self.click('#problem [data-action="retry"]'))
        self.assertEqual(self.position(), "nim:0,4")
