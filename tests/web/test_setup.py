"""Setting up a sum: adding, removing and redrawing piles, writing text and rules."""
from playing import READY, PlayTest, address


# Adds a pile of each ruleset; calls back with the number of pieces on the board after each.
ADD_ALL = f"""
const done = arguments[0], choices = [...document.querySelectorAll("#rulesets [data-ruleset]")], seen = [];
const next = () => {{
  if (seen.length === choices.length) return done(seen);
  const before = location.hash;
  choices[seen.length].click();
  document.querySelector("#add").click();
  __once(() => location.hash !== before && ({READY}), () => {{
    seen.push(document.querySelectorAll("#board .piece").length);
    next();
  }});
}};
next();
"""


class Setup(PlayTest):
    @classmethod
    def start_server(cls):
        names = cls.folder / "names.txt"
        names.write_text("halves = rules{n->n-k:k>=1&2*k<=n}\nshort = take{1,2}\n")
        cls.server_arguments = ("--rulesets", names)
        return super().start_server()

    def play(self, position, **given):
        return self.load(address(position, **given))  # without what an earlier test has chosen and written

    def choose_ruleset(self, name):
        self.click(f'label:has([data-ruleset="{name}"])')

    def test_a_sum_is_built_by_clicks(self):
        self.play("nim:3")
        self.choose_ruleset("kayles")
        self.assertEqual(self.text("#rules"),
                         "Knock down one pin, or two that stand next to each other.")
        self.write("#size", "6")
        self.change(lambda: self.click("#add"))
        self.assertEqual(self.fields()[0], "nim:3+kayles:6")
        self.wait_piles(["3", "6"])
        self.choose_ruleset("wythoff")
        self.write("#size", "")
        self.change(lambda: self.click("#add"))
        self.assertRegex(self.fields()[0], r"^nim:3\+kayles:6\+wythoff:\(\d+,\d+\)$")
        self.change(lambda: self.click('[data-remove="2"]'))
        self.assertRegex(self.fields()[0], r"^nim:3\+wythoff:\(\d+,\d+\)$")
        self.change(lambda: self.click("label:has(#misere)"))
        self.assertTrue(self.fields()[0].endswith(" misere"))
        self.assertEqual(self.text("#goal"), "Whoever makes the last move loses.")
        self.change(lambda: self.click("#shuffle"))
        self.assertRegex(self.fields()[0], r"^nim:(1\d|20)\+wythoff:\(\d+,\d+\) misere$")
        self.write("#size", "5")
        self.choose_ruleset("grundy")
        self.change(lambda: self.click("#only"))
        self.assertEqual(self.fields()[0], "grundy:5 misere")

    def test_every_ruleset_can_be_added(self):
        self.play("nim:3", options="two")
        rulesets = self.run_js("return [...document.querySelectorAll('#rulesets [data-ruleset]')]"
                               ".map((node) => node.dataset.ruleset)")
        self.assertEqual(rulesets[-2:], ["halves", "short"])
        told = self.server.ask("/api/site")["rulesets"]
        self.assertEqual(len(rulesets), sum("literature" not in one for one in told))
        self.assertEqual(self.run_until(ADD_ALL, what="not all rulesets can be added"),
                         list(range(2, 2 + len(rulesets))))
        self.look("every-ruleset")

    def test_a_game_of_the_literature_can_be_added(self):
        self.play("nim:3")
        self.click("details:has(#literature) summary")
        self.choose_ruleset("guiles")
        self.write("#size", "7")
        self.change(lambda: self.click("#add"))
        self.wait_piles(["3", "7"])

    def test_names_of_a_catalogue_are_known(self):
        self.play("short:4+halves:9")
        self.assertEqual([piece["heap"] for piece in self.state()["pieces"]], ["4", "9"])
        self.choose_ruleset("short")
        self.assertEqual(self.text("#rules"), "take{1,2}")

    def test_an_error_is_marked_at_its_column(self):
        self.allow("status of 400")
        self.play("nim:3")
        self.write("#notation", "nim:3+rules{n->n-k:k>=}:9")
        self.click("#notation-use")
        self.wait(lambda: self.text("#notation-error .caret"))
        told = self.server.ask("/api/game", position="nim:3+rules{n->n-k:k>=}:9")["error"]
        self.assertEqual(told["column"], 23)
        self.assertEqual(self.text("#notation-error .bad"), told["text"])
        self.assertEqual(self.text("#notation-error mark"), "}")
        self.assertEqual(self.text("#notation-error .caret").strip(), "^ column 23")
        self.assertEqual(self.fields()[0], "nim:3")
        self.write("#notation", "rules{n->n-k:k>=1}:9")
        self.change(lambda: self.click("#notation-use"))
        self.assertEqual(self.text("#notation-error"), "")
        self.wait_piles(["9"])

    def test_own_rules_are_edited_and_refused(self):
        self.allow("status of 400")
        self.play("nim:3")
        self.run_js("[...document.querySelectorAll('[data-ruleset]')].find((node) =>"
                    " node.dataset.ruleset.startsWith('rules{')).click()")
        self.assertTrue(self.shown("#ruleset-text"))
        self.write("#notation", "x")
        self.click("#notation-use")
        self.wait(lambda: self.text("#notation-error .caret"))
        self.write("#ruleset-text", "rules{n->n-k:k>=1&k<=}")
        self.click("#add")
        self.wait(lambda: self.text("#add-error .caret"))
        self.assertEqual(self.text("#add-error .caret").strip(), "^ column 22")
        self.assertEqual(self.text("#add-error mark"), "}")
        self.assertTrue(self.shown("#notation-error .caret"))
        self.click("details:has(#literature) summary")
        self.look("setup", but=None)
        self.write("#ruleset-text", "rules{n->n-k:k>=1&k<=2}")
        self.write("#size", "8")
        self.change(lambda: self.click("#add"))
        self.wait_piles(["3", "8"])

    def test_an_invalid_size_is_refused(self):
        self.play("nim:3")
        self.write("#size", "ten")
        self.click("#add")
        self.wait_text("#add-error",
                       "read 'ten', expected a number, or nothing for a size at random")

    def test_examples_of_the_notation_are_begun(self):
        self.play("nim:3")
        self.click("#notation-help summary")
        examples = self.run_js("return [...document.querySelectorAll('[data-example]')]"
                               ".map((node) => node.dataset.example)")
        self.assertGreater(len(examples), 4)
        for index, example in enumerate(examples):
            state = self.change(lambda index=index: self.click(f"li:nth-child({index + 1}) "
                                                               "[data-example]"))
            self.assertEqual(self.fields(state["hash"])[0], example)

    def test_many_piles_are_drawn_abridged(self):
        self.play("nim:" + ",".join(str(1 + n % 9) for n in range(60)))
        self.assertEqual(len(self.all("[data-open]")), 60)
        self.click('[data-open="7"]')
        self.change(lambda: self.press(7, "s2"))
        self.assertEqual(self.fields()[1][0], "7=2")
        self.look("many-piles")
