"""Bots over UGI as opponents: they play, they crash, and they have strange names."""
import shlex
import sys

from browser import ROOT, player, zoo
from playing import PlayTest

HOSTILE = "img <img src=x onerror=alert(1)>"


class Bots(PlayTest):
    server_arguments = [
        *player(shlex.join([sys.executable, str(ROOT / "bots" / "python" / "nim_bot.py")]),
                name="Ann"),
        *player(zoo("crash", "SIGSEGV"), name="Crasher"),
        *player(zoo("decent"), name=HOSTILE),
        *player(zoo("move_that_is_no_text"), name="</option><script>alert(2)</script>"),
    ]

    def test_a_bot_plays_a_whole_game(self):
        self.play("nim:1,3,4")
        self.change(lambda: self.click('#opponent option[value="bot:0"]'))
        self.assertEqual(self.fields()[2], "bot:0")
        _, state = self.win()
        self.assertEqual(state["outcome"], "won")
        self.assertRegex(state["moves"][1], r"^Ann takes ")

    def test_a_crash_in_a_game_is_shown(self):
        self.play("nim:3,4,5", options="bot:1")
        self.press(1, "s2")
        self.wait(lambda: self.shown("#problem"))
        self.ready()
        self.assertEqual(self.attribute("#problem", "data-kind"), "fault")
        self.assertEqual(self.text("#problem h2"), "Crasher failed: disconnected")
        self.assertEqual(self.state()["status"], "Crasher makes no move.")
        self.assertIn("about to crash", self.text("#problem pre"))
        self.look("fault")
        self.click('#problem [data-action="retry"]')
        self.wait(lambda: self.shown("#problem") and self.state()["ready"])
        self.click('#problem [data-action="perfect"]')
        self.wait(lambda: len(self.fields()[1]) == 2 and self.state()["ready"])
        self.assertEqual(self.fields()[2], "perfect")
        self.assertFalse(self.shown("#problem"))

    def test_hostile_names_are_text(self):
        told = self.play("nim:2,2", ["1=0", "2=1", "2=0"], "bot:2")["told"]
        self.assertTrue(told[1].startswith(f"{HOSTILE}’s move 2 "), told)
        self.play("nim:3,4,5")
        names = self.run_js("return [...document.querySelectorAll('#opponent option')].map("
                            "(node) => node.textContent)")
        self.assertIn(HOSTILE, names)
        self.assertIn("</option><script>alert(2)</script>", names)
        self.change(lambda: self.click('#opponent option[value="bot:2"]'))
        self.make("1=2")
        self.assertTrue(any(text.startswith(HOSTILE) for text in self.state()["moves"]))
        self.assertIn(HOSTILE, self.state()["status"])
        self.change(lambda: self.click('#opponent option[value="bot:3"]'))
        self.press(2, "s1")
        self.wait(lambda: self.shown("#problem"))
        self.ready()
        self.assertIn("</option><script>alert(2)</script> failed: ",
                      self.text("#problem h2"))
        self.assertEqual(self.all("main img, main script, body > script"), [])
