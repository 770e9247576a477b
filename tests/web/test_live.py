"""The live page: two watchers see a tournament to its end."""
import json
import os
import shlex
import sys

from browser import PATIENCE, WATCH, Server, WebTest, player

# Plays the first legal move; delays the second of a game until the test writes to the FIFO.
BOT = """
import sys
asked = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("option name LegalMoves type check default false\\nugiok", flush=True)
    if words[0] == "isready": print("readyok", flush=True)
    if words[0] == "go":
        asked += 1
        if asked == 2:
            open(sys.argv[1]).close()
        print("bestmove", words[words.index("searchmoves") + 1], flush=True)
    if words[0] == "quit": break
"""
HOSTILE = "<img src=x onerror=alert(1)>"

READ = """
return {about: document.querySelector("#about").textContent,
  title: document.querySelector("#title").textContent,
  connection: document.querySelector("#connection").dataset.state,
  outcome: document.querySelector("#outcome").textContent,
  rows: [...document.querySelectorAll("#rows tr")].map((row) =>
    [...row.cells].map((cell) => cell.textContent)),
  boards: document.querySelectorAll("#boards > *:not([hidden])").length,
  finished: document.querySelectorAll("#finished > li").length};
"""

# Of each link of a finished game what is told of the game, its words and label, and whether it is shown
# or leads anywhere.
LINKS = """
return [...document.querySelectorAll("#finished > li a")].map((link) => [
  link.closest("#finished > li").querySelector(".result").textContent, link.textContent,
  link.getAttribute("aria-label"), link.offsetParent !== null || link.hasAttribute("href")]);
"""


class LiveTest(WebTest):
    FORMAT = "round-robin"

    @classmethod
    def start_server(cls):
        cls.fifo, cls.events = cls.folder / "fifo", cls.folder / "events"
        os.mkfifo(cls.fifo)
        bot = cls.folder / "bot.py"
        bot.write_text(BOT, encoding="utf-8")
        command = shlex.join([sys.executable, str(bot), str(cls.fifo)])
        return Server("--name", "Spring", "--format", cls.FORMAT, *player(command, name=HOSTILE),
                      *player("builtin:perfect", name="Cy"), *player("builtin:random", name="Chance"),
                      "--games", 6, "--position", "kayles:6+nim:3,4,5", "--seed", 1,
                      "--analysis", 0, "--events", f"jsonl:{cls.events}", "--movetime", 0,
                      command=("tournament", "--web", "127.0.0.1:0"), said="watch on ")


class Live(LiveTest):
    def test_two_watchers_see_a_tournament_end(self):
        self.allow("ERR_")
        self.open("/live")
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("window")
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        second = self.driver.current_window_handle
        self.addCleanup(self.driver.switch_to.window, first)
        self.addCleanup(self.driver.close)
        self.addCleanup(self.driver.switch_to.window, second)
        self.screen()
        self.open("/live")
        for window in (second, first):
            self.driver.switch_to.window(window)
            self.wait(lambda: self.run_js(READ)["connection"] == "open"
                      and self.run_js(READ)["boards"] > 0)
        self.assertEqual(self.run_js(READ)["title"], "Spring")
        for link in self.all(".live-board a[href]"):
            self.assertIn("#p=", link.get_attribute("href"))
        self.assertFalse(self.find("#ended").is_displayed())
        # What may scroll can be reached by the keyboard.
        for part in self.all(".scroll-x, .lobby"):
            self.assertEqual(part.get_attribute("tabindex"), "0")
            self.assertTrue(part.get_attribute("aria-label"))
        self.assertEqual(self.all("main img"), [])
        self.look("live")
        with self.fifo.open("w"):  # the tournament continues
            self.assertEqual(self.server.process.wait(PATIENCE), 0)
        final = json.loads(self.events.read_text().splitlines()[-1])["rows"]
        names = [HOSTILE, "Cy", "Chance"]
        expected = [[str(row["rank"]), names[row["player"]], str(row["points"]).removesuffix(".0"),
                     str(row["games"])] for row in final]
        for window in (second, first):
            self.driver.switch_to.window(window)
            self.wait(lambda: self.run_js(READ)["connection"] == "over")
            shown = self.run_js(READ)
            self.assertEqual([row[:4] for row in shown["rows"]], expected)
            self.assertRegex(shown["outcome"], r"^Cy has won with \d+(\.\d)? points\.$")
            self.assertGreater(shown["finished"], 0)
            self.assertEqual(self.all("main img, main script"), [])
            self.assertEqual(self.troubles(), [])
        self.write("#filter", "chance")
        self.wait(lambda: len(self.run_js(READ)["rows"]) == 1)
        self.look("live-over")
        # The arena has ended: its links lead nowhere, also those of games that are drawn now.
        self.write("#filter", " ")
        self.wait(lambda: len(self.run_js(READ)["rows"]) == 3)
        self.assertIn("nim-arena web --record FILE", self.find("#ended").text)
        self.assertEqual(self.all("a[href^='/']"), [])
        links = self.run_js(LINKS)
        self.assertGreater(len(links), 0)
        for told, words, label, leads in links:
            where = " before move [0-9]+" if words == "Play on from here" else ""
            self.assertRegex(label, f"^{words}: game {told.split()[-1]}{where}$")
            self.assertFalse(leads)


class LiveKnockout(LiveTest):
    FORMAT = "knockout"

    def test_the_bracket_is_shown(self):
        self.open("/live")
        self.wait(lambda: len(self.texts("#bracket > div")) == 2)
        first, final = (text.split("\n") for text in self.texts("#bracket > div"))
        self.assertEqual(first[0], "round 1")
        self.assertIn("a bye", first)
        self.assertEqual(final[0], "final")
        self.assertIn(HOSTILE, final)
        self.assertEqual(self.all("main img"), [])
        self.look("live-bracket")
