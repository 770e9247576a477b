"""The page of pictures. Its hooks are listed at the top of arena/web/page/explore.js."""
import json
import subprocess

from browser import ENGINE, PATIENCE, WebTest

# The address changes before the page is told so.
READY = """(({ready, address}) => ready === "true" && address === location.hash)(
  document.querySelector("#picture").dataset)"""
HEAPS = """[...document.querySelectorAll("#picture .heap")].map((heap) =>
  [heap.dataset.heap, heap.dataset.value, heap.dataset.moves])"""


class Explore(WebTest):
    def explore(self, hash_=""):
        self.open("/explore" + hash_)
        self.until(READY, what="there is no picture")

    def heaps(self):
        return self.run_js(f"return {HEAPS}")

    def change(self, action):
        """Calls a function that changes the address, and waits for the picture."""
        before = self.run_js("return location.hash")
        action()
        self.until(f"location.hash !== given[0] && {READY}", before, what="nothing changes")

    def choose(self, select, value):
        self.change(lambda: self.find(f'{select} option[value="{value}"]').click())

    def draw(self, **fields):
        def fill():
            for name, text in fields.items():
                self.write(f"#{name}", text)
            self.click("#wanted button")
        self.change(fill)

    def test_the_period_of_kayles_is_seen_first(self):
        self.explore()
        self.assertEqual(self.text("#caption"),
                         "Nimbers of kayles 0-199, 12 in a row; the nimbers have period 12")
        done = subprocess.run([ENGINE, "values", "kayles", "0-199", "--json"], check=True,
                              stdout=subprocess.PIPE, timeout=PATIENCE)
        self.assertEqual([value for _, value, _ in self.heaps()],
                         [str(value) for value in json.loads(done.stdout)["values"]])
        self.run_js("document.querySelector('#picture [data-heap=\"3\"]').dispatchEvent("
                    "new PointerEvent('pointerover', {bubbles: true}))")
        self.assertEqual(self.text("#told"), "3: 3; win by leaving 1,1")
        self.draw(range="0-35")  # axe-core takes long for many heaps
        self.look("explore")
        self.click('#picture [data-heap="3"] text')
        self.until("location.pathname === '/' && document.querySelector('#board')?.dataset.ready "
                   "=== 'true'")
        self.assertIn("#p=kayles:3&", self.run_js("return location.hash"))

    def test_the_address_holds_the_picture(self):
        self.explore("#rules=kayles&range=0-40&value=misere&wrap=7")
        self.assertEqual(self.text("#caption"), "Misère outcomes of kayles 0-40, 7 in a row; "
                                                "the nimbers have period 12")
        self.assertEqual(self.heaps()[1], ["1", "P", ""])
        self.choose("#value", "genera")
        self.assertEqual(self.heaps()[5][1], "4^{146}")
        self.choose("#drawn", "plot")
        self.assertTrue(self.all("#picture circle"))
        self.draw(range="0-20")
        self.assertEqual(self.run_js("return location.hash"),
                         "#rules=kayles&range=0-20&value=genera&picture=plot&wrap=7")
        self.driver.back()
        self.until(f"location.hash.includes('0-40') && {READY}")
        self.assertEqual(len(self.heaps()), 41)

    def test_a_game_of_two_numbers_is_a_map(self):
        self.explore()
        self.choose("#game", "wythoff")
        self.assertEqual(self.text("#caption"), "Nimbers of wythoff 20x20")
        cold = [heap for heap, value, _ in self.heaps() if value == "0"]
        self.assertEqual(cold[:5], ["(0,0)", "(1,2)", "(2,1)", "(3,5)", "(4,7)"])
        self.assertEqual(len(self.heaps()), 400)
        self.draw(range="8x8")
        self.look("explore-map")

    def test_a_board_is_opened_by_its_size(self):
        self.explore()
        self.choose("#game", "cram")
        self.assertEqual(self.text("#caption"), "Nimbers of cram 4x6")
        self.click('#picture [data-heap="ooo_ooo"] text')
        self.until("location.pathname === '/'")
        self.assertIn("#p=cram:ooo_ooo&", self.run_js("return location.hash"))

    def test_every_ruleset_has_a_picture_or_says_what_has(self):
        without = []
        # The usual ranges of games that turn many coins take seconds.
        ranges = dict.fromkeys(("mock-turtles", "triplets", "moebius", "ruler"), {"range": "0-30"})
        for entry in self.server.ask("/api/site")["rulesets"]:
            answer = self.server.ask("/api/explore", ruleset=entry["ruleset"],
                                     **ranges.get(entry["ruleset"], {}))
            if "title" not in answer:
                self.assertIn("expected a ruleset whose heaps are numbers, pairs", str(answer))
                without.append(entry["ruleset"])
            else:
                self.assertIn(f" of {entry['ruleset']}", answer["title"])
                # Of a slow machine the last values may not be ready in time.
                self.assertRegex(answer["svg"], 'data-value="[^?"]')
        self.assertEqual(without, ["notakto", "nim-with-a-pass"])

    def test_a_graph_has_its_labels(self):
        self.explore()
        self.draw(ruleset="graph{a->b;b->a,c;c->d}", range="")
        self.look("explore-graph")
        self.assertEqual([value for _, value, _ in self.heaps()], ["inf{}", "inf{1}", "1", "0"])

    def test_the_table_needs_no_mouse(self):
        self.explore("#rules=nim&range=0-5&value=misere")
        self.click("#values summary")
        self.until("document.querySelectorAll('#values tbody tr').length === 6")
        self.look("explore-table")
        link = self.find("#values tbody tr:nth-child(3) a")
        self.assertIn("#p=nim:2%20misere", link.get_attribute("href"))
        self.assertEqual(self.text("#values tbody tr:nth-child(3)"), "2N1")

    def test_what_is_wrong_is_told(self):
        self.allow("the server responded with a status of 400")
        self.explore("#rules=kayles&range=9-5")
        self.assertEqual(self.text("#refusal"), "read '5', expected a range that ascends")
        self.assertEqual(self.text("#caption"), "No picture")
        self.draw(range="0-9")
        self.assertEqual(self.text("#refusal"), "")
        self.assertEqual(len(self.heaps()), 10)

    def test_it_is_saved(self):
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder))
        self.explore("#rules=wythoff&range=2x2")
        for kind, expected in (("svg", "<svg xmlns="),
                               ("csv", 'heap,value,winning_moves\r\n"(0,0)",0,\r\n"(0,1)",1,"(0,0)"')):
            self.click(f"#save-{kind}")
            file = self.folder / f"nimbers-of-wythoff-2x2.{kind}"
            self.wait(lambda: file.exists() and file.stat().st_size > 0, f"{file} is not saved")
            self.assertTrue(file.read_bytes().decode().startswith(expected), file.read_text())
