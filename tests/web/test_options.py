"""The values shown: they agree with nim-engine, and switching them takes effect at once."""
from browser import WEB, Server
from playing import PlayTest, truth

SUMS = ["nim:1,3,5,7", "nim:3,4,5", "kayles:5+nim:4+wythoff:(1,2)", "grundy:9+lasker:4",
        "cookie:(1,3,3)+take{1,3,4}:9", "nim:1000000000000000000,3", "nim:(w^2+1),(w+3),2"]
MISERE = ["nim:1,2,4 misere", "kayles:5,3 misere", "take{1,2}:7,4 misere"]


class Options(PlayTest):
    def toggle(self, *names):
        for name in names:
            self.change(lambda name=name: self.click(f"label:has(#show-{name})"))

    def ideal_shown(self):
        if self.all("#ideal .link"):
            self.click("#ideal .link")
        return self.run_js("return [...document.querySelectorAll('#ideal [data-move]')]"
                           ".map((node) => node.dataset.move)")

    def test_values_are_those_of_the_engine(self):
        for position in SUMS:
            with self.subTest(position):
                known = truth(position)
                state = self.play(position, options="two,sum,piles,ideal,why")
                sum_value = self.find("#sum-value")
                self.assertEqual(sum_value.get_attribute("data-nimber"), str(known["nimber"]))
                self.assertEqual(sum_value.get_attribute("data-outcome"), known["outcome"])
                words = {"N": "Player 1 can win", "P": "Player 2 can win, whatever Player 1 does"}
                self.assertEqual(sum_value.text.split("\n")[-1].removeprefix(
                    f"*{known['nimber']}").strip(), words[known["outcome"]])
                self.assertEqual([piece["value"] for piece in state["pieces"]],
                                 [f"*{heap['nimber']}" for heap in known["heaps"]])
                self.assertEqual(sorted(self.ideal_shown()), sorted(known["winning_moves"]))
                self.assertEqual(self.text("#why p"), known["reason"][0].upper()
                                 + known["reason"][1:] + ".")

    def test_outcomes_under_misere(self):
        for position in MISERE:
            with self.subTest(position):
                known = truth(position)
                self.wait(lambda position=position: self.tells_the_servers_reason(position),
                          "the page never tells the server's reason")
                self.assertEqual(self.attribute("#sum-value", "data-outcome"),
                                 known["outcome"])
                self.assertEqual(sorted(self.ideal_shown()), sorted(known["winning_moves"]))

    def tells_the_servers_reason(self, position):
        """Which proof the server finds depends on the time that it got; it keeps what it found,
        so the same question soon has the same answer."""
        self.play(position, options="two,sum,piles,ideal,why")
        reason = self.server.ask("/api/evaluate", position=position)["reason"]
        return self.text("#why p")[1:] == reason[1:] + "."

    def test_options_switch_at_once(self):
        self.play("nim:1,3,5,8")
        self.assertEqual(self.text("#analysis"), "")
        self.toggle("sum")
        self.assertTrue(self.shown("#sum-value"))
        self.assertEqual(self.find("#sum-value").text.replace("\n", " "), "*15 you can win")
        self.toggle("piles")
        self.assertEqual([piece["value"] for piece in self.state()["pieces"]],
                         ["*1", "*3", "*5", "*8"])
        self.toggle("ideal", "why")
        self.assertEqual(self.ideal_shown(), truth("nim:1,3,5,8")["winning_moves"])
        rows = self.run_js("return [...document.querySelectorAll('#columns tr')].map((row) =>"
                           " [...row.cells].map((cell) => cell.textContent).join(' '))")
        self.assertEqual(rows, ["value 8 4 2 1", "pile 1 0 0 0 1", "pile 2 0 0 1 1",
                                "pile 3 0 1 0 1", "pile 4 1 0 0 0", "XOR 1 1 1 1"])
        self.look("why")
        self.make("4=7")
        self.assertEqual(self.attribute("#sum-value", "data-nimber"),
                         str(truth(self.position())["nimber"]))
        self.toggle("sum", "piles", "ideal", "why")
        self.assertEqual(self.text("#analysis"), "")
        self.assertEqual([piece["value"] for piece in self.state()["pieces"]], [None] * 4)
        self.assertEqual(self.fields()[2], "perfect")

    def test_an_ideal_move_is_made_from_its_list(self):
        self.play("nim:1,3,4", options="two,ideal")
        self.change(lambda: self.click('#ideal [data-move="3=2"]'))
        self.assertEqual(self.position(), "nim:1,3,2")

    def test_a_chance_of_mistakes_is_set(self):
        self.play("nim:1,3,5,7")
        self.assertFalse(self.shown("#eps"))
        self.change(lambda: self.click('#opponent option[value="eps"]'))
        self.assertTrue(self.shown("#eps"))
        self.assertEqual(self.fields()[2], "eps:0.25")
        self.run_js("""const eps = document.querySelector("#eps"); eps.value = 100;
                       for (const kind of ["input", "change"])
                         eps.dispatchEvent(new Event(kind, {bubbles: true}));""")
        self.wait(lambda: self.fields()[2] == "eps:1")
        self.assertEqual(self.text("#eps-value"), "100 %")
        self.make("4=6")
        self.assertEqual(len(self.fields()[1]), 2)


class Unknown(PlayTest):
    @classmethod
    def start_server(cls):
        return Server(command=(*WEB, "--think", "20"))

    POSITION = "kayles:60,55,47+grundy:50,40+lasker:30 misere"

    def test_an_opponent_that_does_not_know_who_wins(self):
        self.play(self.POSITION)
        self.make("1=59")
        self.assertIn("It cannot tell who wins here: it may err. Your move.", self.state()["status"])

    def test_unknown_values_are_shown(self):
        self.play(self.POSITION, options="two,sum,piles,ideal,why")
        self.assertEqual(self.attribute("#sum-value", "data-outcome"), "unknown")
        self.assertIn("who wins is not known in the time given", self.text("#sum-value"))
        self.assertEqual(self.text("#ideal"), "Not all ideal moves are known.")
