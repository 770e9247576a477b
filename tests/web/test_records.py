"""The pages of a record: browsing, playing on from a game, and safety from any player's name."""
import shlex
import subprocess
import sys

from browser import ARENA, PATIENCE, PHONE, player
from playing import PlayTest

HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a\u202eb&amp;'c" + "x" * 99]

BOT = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi": print("ugiok", flush=True)
    if word == "isready": print("readyok", flush=True)
    if word == "go":
        print("</script><script>alert(2)</script>\\n<!-- <b>", file=sys.stderr, flush=True)
        print("bestmove </script><b>\\u202e", flush=True)
    if word == "quit": break
"""


def record(file, *players, games=6):
    words = [word for each in players for word in each]
    done = subprocess.run([ARENA, "tournament", "--format", "round-robin", "--games", str(games),
                           "--name", f"The_cup_of_{file.stem}" * 8,
                           *words, "--position", "nim:3,4,5", "--position", "kayles:8+nim:4",
                           "--seed", "7", "--record", file, "--analysis", "2000", "--report",
                           file.with_suffix(".pages")],
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    return file


class Records(PlayTest):
    @classmethod
    def start_server(cls):
        bot = cls.folder / "bot.py"
        bot.write_text(BOT, encoding="utf-8")
        command = shlex.join([sys.executable, "-X", "utf8", str(bot)])
        spring = record(cls.folder / "spring.db", player("builtin:perfect", name="Good"),
                        player("builtin:eps:0.5", name="Rung_of_a_ladder" * 8),
                        player("builtin:random", name="Chance"))
        hostile = record(cls.folder / "hostile.db", *[player(command, name=name)
                                                      for name in HOSTILE], games=4)
        cls.server_arguments = ("--record", spring, "--record", hostile)
        return super().start_server()

    def test_a_record_is_found_and_browsed(self):
        self.open("/record/")
        self.look("records")
        self.click("a[href*='spring']")
        self.wait(lambda: "Standings" in (self.text("main") or ""))
        self.look("record")
        self.click("a[href='player-2.html']")
        self.wait(lambda: self.shown("#viewer .moves"))
        self.look("record-player")
        self.click("#viewer button[title='start']")
        self.assertRegex(self.text("#viewer [role=status]"), r"^Ply 0 of \d+\. ")
        self.click("#viewer button[title='on']")
        self.assertRegex(self.text("#viewer [role=status]"), r"^Ply 1 of \d+\. ")
        self.click("#viewer button[title='end']")
        self.assertRegex(self.text("#viewer [role=status]"), r"^Ply (\d+) of \1\. ")
        self.step_back()

    def step_back(self):
        """Goes back from the end of a game of the viewer, move by move; its heaps are the server's."""
        read = """
          const [words, heaps, at] = ["[role=status]", ".heap", "[aria-current]"].map((selector) =>
            [...document.querySelectorAll(`#viewer ${selector}`)].map((node) => node.textContent));
          return [words[0], heaps, at[0], document.querySelector("#viewer a").hash]"""
        last = int(self.text("#viewer [role=status]").split(" of ")[0].removeprefix("Ply "))
        for ply in range(last - 1, -1, -1):
            self.click("#viewer button[title='back']")
            words, heaps, at, link = self.run_js(read)
            self.assertTrue(words.startswith(f"Ply {ply} of {last}. "), words)
            self.assertTrue(at.startswith(f"{ply + 1}. "), at)
            start, moves, _ = self.fields(link)
            self.assertEqual(len(moves), ply)
            game = self.server.ask("/api/game", position=start, moves=moves)
            self.assertEqual(heaps, [pile["heap"] for pile in game["piles"]])
        self.assertFalse(self.find("#viewer button[title='back']").is_enabled())

    def test_a_cell_of_the_cross_table_leads_to_its_games(self):
        self.open("/record/spring/index.html")
        self.click("table.cross a[href='player-3.html#vs-1']")
        self.wait(lambda: self.run_js("return location.hash") == "#vs-1")
        game = self.run_js("return document.querySelector('#vs-1 a[href^=\"#game-\"]').title")
        self.click(f"#vs-1 a[title='{game}']")
        self.wait(lambda: self.run_js(
            "const s = document.getElementById('game');"
            "return s.options[s.selectedIndex].textContent.startsWith(arguments[0] + ':')", game))

    def test_long_names_fit_a_phone(self):
        self.screen(PHONE)
        for page in ("/", "/record/", "/record/hostile/index.html",
                     *[f"/record/spring/{page}" for page in ("index.html", "player-2.html", "player-3.html")]):
            self.open(page)
            self.until("!document.querySelector('#nav') || document.querySelector('#nav [href^=\"/record\"]')")
            self.assertEqual(self.run_js("return document.documentElement.scrollWidth"), PHONE["width"], page)

    def test_charts_fit_a_phone(self):
        self.screen(PHONE)
        for page in ("index.html", "player-3.html"):
            self.open(f"/record/spring/{page}")
            self.assertTrue(self.all("figure.bars svg"), page)
            for figure in self.all("figure"):
                self.assertEqual(*self.run_js("return [arguments[0].scrollWidth, "
                                              "arguments[0].clientWidth]", figure))
            # Labels stay within the screen, and those that stand in a row apart from each other.
            self.assertEqual(self.run_js("""
              const wrong = [];
              for (const chart of document.querySelectorAll("figure.bars svg")) {
                const rows = {};
                for (const text of chart.querySelectorAll("text")) {
                  const box = text.getBoundingClientRect();
                  if (box.width === 0) continue;  // not shown
                  if (box.left < 0 || box.right > innerWidth) wrong.push(text.textContent);
                  (rows[text.getAttribute("y")] ??= []).push([box.left, box.right, text.textContent]);
                }
                for (const row of Object.values(rows))
                  for (let i = 1; i < row.length; ++i)
                    if (row[i][0] < row[i - 1][1]) wrong.push(row[i][2]);
              }
              return wrong"""), [], page)

    def test_tables_sort_by_a_click(self):
        self.open("/record/spring/index.html")
        column = ("return [...document.querySelectorAll('table.standings tbody tr')].map("
                  "(row) => row.cells[{}].textContent)")
        names = self.run_js(column.format(1))
        self.assertNotEqual(names, sorted(names))
        self.click("table.standings thead th.name button")
        self.assertEqual(self.run_js(column.format(1)), sorted(names))
        self.click("table.standings thead th.name button")
        self.assertEqual(self.run_js(column.format(1)), sorted(names, reverse=True))
        self.click("table.standings thead th:first-child button")
        self.assertEqual(self.run_js(column.format(1)), names)
        # By data-sort, whatever the texts are.
        self.run_js("document.querySelectorAll('table.standings tbody td:first-child').forEach("
                    "(cell, i) => { cell.dataset.sort = [1, 3, 2][i]; })")
        for order in ([1, 2, 0], [0, 2, 1]):
            self.click("table.standings thead th:first-child button")
            self.assertEqual(self.run_js(column.format(1)), [names[i] for i in order])

    def test_a_game_is_played_on(self):
        self.open("/record/spring/player-3.html")
        self.wait(lambda: self.shown("#viewer .moves"))
        self.click("#viewer button[title='start']")
        self.click("#viewer button[title='on']")
        heaps = self.run_js("return [...document.querySelectorAll('#viewer .heap')].map("
                            "(node) => node.textContent)")
        self.click("#viewer a")
        self.wait(lambda: self.run_js("return location.pathname") == "/")
        self.ready()
        self.assertEqual([piece["heap"] for piece in self.state()["pieces"]], heaps)
        self.assertEqual(len(self.fields()[1]), 1)
        self.assertEqual(self.fields()[2], "perfect,second")
        self.assertEqual(self.state()["status"].split(". ")[-1], "Your move.")

    def test_hostile_names_are_text(self):
        for page in ("index.html", "player-1.html", "player-2.html", "player-3.html"):
            self.open(f"/record/hostile/{page}")
            self.assertEqual(self.all("main img, body img"), [])
            shown = self.text("body")
            self.assertIn(HOSTILE[0], shown)
            self.assertNotIn("\u202e", shown)
            self.assertEqual(self.run_js(
                "return [...document.scripts].filter((node) => node.type !== 'application/json'"
                " && !node.src).length"), 0)
            self.assertEqual(self.troubles(), [])
        self.look("record-hostile")
