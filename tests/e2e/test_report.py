"""The pages of `nim-arena report`, read as HTML: whole, without a network, and with nothing in them
that a stranger wrote as markup."""
import fcntl
import html.parser

from arena import *

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(html.parser.HTMLParser):
    """Tags, attributes, text, and the contents of scripts by their id."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.text, self.scripts = [], [], [], [], {}
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attributes]
        if tag not in VOID:
            self.open.append((tag, dict(attributes).get("id", "")))

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attributes]

    def handle_endtag(self, tag):
        opened, _ = self.open.pop()
        assert opened == tag, f"<{opened}> was closed by </{tag}>"

    def handle_data(self, data):
        if self.open and self.open[-1][0] == "script":
            key = self.open[-1][1]
            self.scripts[key] = self.scripts.get(key, "") + data
        elif not self.open or self.open[-1][0] != "style":
            self.text.append(data)


class Report(ArenaTest):
    def tournament(self, *players, positions=("nim:3,4,5", "nim:1,3,5,7 misere"), games=4,
                   faults="forfeit"):
        record = self.folder / "record.db"
        words = [word for player_ in players for word in player_]
        words += [word for position in positions for word in ("--position", position)]
        self.arena("tournament", "--format", "round-robin", "--games", games, *words,
                       "--seed", 7, "--analysis", 0, "--record", record,
                       "--faults", faults, status=0)
        return record

    def pages(self, record, *options):
        folder = self.folder / "pages"
        run = self.arena("report", record, "-o", folder, *options, status=0)
        return run, {path.name: Page(path.read_text(encoding="utf-8"))
                     for path in folder.iterdir()}

    def games(self, page):
        return json.loads(page.scripts["games"])["games"]

    def test_everything_is_there(self):
        record = self.tournament(GOOD, player("builtin:eps:0.5", name="Rung"),
                                 player("builtin:random", name="Chance"), games=20,
                                 positions=("nim:3,4,5", "nim:5,6", "nim:1,3,5,7 misere"))
        run, pages = self.pages(record)
        self.assertEqual(set(pages),
                         {"index.html", "player-1.html", "player-2.html", "player-3.html"})
        text = " ".join(pages["index.html"].text)
        for word in ("Standings", "Points by ruleset", "nim misere", "Points by start position",
                     "Cross table", "Progress of ratings", "Accuracy by ply", "Think time", "think [ms]",
                     "There were none", "Rung", "3 players, 60 games"):
            self.assertIn(word, text)
        self.assertIn("60 games analysed", run.out.decode())
        self.assertNotIn("nan", text)
        self.assertNotIn("inf ", text)

        thrown = self.games(pages["player-2.html"])
        self.assertTrue(thrown)
        for game in thrown:
            self.assertEqual(len(game["letters"]), len(game["moves"]))
            for ply, letter in enumerate(game["letters"], 1):
                self.assertEqual(letter in "xy", str(ply) in game["better"], game)
        self.assertIn("moves in won positions kept won", " ".join(pages["player-2.html"].text))

        # Each page opens at a game in which its player erred, not only its opponent.
        for number, name in ((2, "Rung"), (3, "Chance")):
            data = json.loads(pages[f"player-{number}.html"].scripts["games"])
            first = data["games"][data["first"]]
            own = first["letters"][first["players"].index(name)::2]
            self.assertTrue(set(own) & set("xy"), first)
            for game in data["games"][:data["first"]]:
                own = game["letters"][game["players"].index(name)::2]
                self.assertFalse(set(own) & set("xy") and not game["result"].startswith(name), game)

    def test_what_was_played_is_there(self):
        record = self.folder / "void.db"
        self.arena("tournament", *player("no-such-bot", name="A"), *player("nor-such", name="B"),
                       *GOOD, "--keep-going", "--seed", 77, "--tc", "5000+10", "--suite", "nim",
                       "--record", record, "--quiet")
        _, pages = self.pages(record)
        text = " ".join(" ".join(pages["index.html"].text).split())
        for words in ("time 5000+10 ms, for a game and more for each move", "seed 77",
                      "start positions positions of the suite nim;size=5..25",
                      "games of a pairing 2", "2 games void, which count for nobody",
                      "A dot: they have not met"):
            self.assertIn(words, text)
        self.assertRegex(text, r"played 20\d\d-\d\d-\d\d ")
        record = self.tournament(GOOD, player("builtin:random", name="Chance"))
        text = " ".join(" ".join(self.pages(record)[1]["index.html"].text).split())
        self.assertRegex(text, r"start positions \w.* time \d+ ms for a move seed \d+ ")
        self.assertNotIn("void", text)

    def test_nothing_comes_from_elsewhere(self):
        record = self.tournament(GOOD, player("builtin:random", name="https://example.org/x.js"))
        _, pages = self.pages(record)
        for page in pages.values():
            for tag, name, value in page.attributes:
                self.assertFalse(name.startswith("on"), (tag, name, value))
                self.assertNotIn(name, {"src", "srcset", "action", "data"})
                if name == "href":
                    self.assertRegex(value, r"^((index|player-\d+)\.html(#(vs-\d+|faults))?|#game-[\d.]+)$")
            self.assertNotIn("link", page.tags)
            self.assertNotIn("img", page.tags)
        for file in (self.folder / "pages").iterdir():
            self.assertNotRegex(file.read_text(), r"@import|url\((?!#)|fetch\(|XMLHttp|innerHTML|eval\(")

    def test_moves_of_the_arena_are_marked(self):
        bad = player(zoo("crash", "SIGSEGV"), name="Bad")
        record = self.tournament(bad, GOOD, positions=("nim:3,4,5",), games=2, faults="replace")
        _, pages = self.pages(record)
        for game in self.games(pages["player-1.html"]):
            seat = game["players"].index("Bad")
            self.assertTrue(game["by_arena"])
            for ply in range(1, len(game["moves"]) + 1):
                told = "disconnected" if ply % 2 != seat else None
                self.assertEqual(game["by_arena"].get(str(ply)), told, game)
        self.assertIn("about to crash", " ".join(pages["player-1.html"].text))
        self.assertNotIn("Points by", " ".join(pages["index.html"].text))  # one start position

    def test_faults_are_grouped_on_the_index(self):
        bad = player(zoo("answers", "bestmove 9=9"), name="Bad")
        record = self.tournament(bad, GOOD, player(zoo("crash", "SIGSEGV"), name="Gone"), games=8)
        _, pages = self.pages(record)
        text = " ".join(pages["index.html"].text)
        self.assertRegex(text, r"illegal-move\s+: \d+ games; the first against \w+, game 1\.")
        self.assertEqual(text.count("illegal-move"), 1)
        self.assertEqual(text.count("all of them"), 2)
        self.assertIn(("a", "href", "player-1.html#faults"), pages["index.html"].attributes)
        own = " ".join(pages["player-1.html"].text)
        self.assertGreater(own.count("illegal-move"), 8)
        self.assertIn(("h2", "id", "faults"), pages["player-1.html"].attributes)

    def test_games_are_chosen(self):
        record = self.tournament(GOOD, player("builtin:perfect", name="Other"), games=8)
        _, pages = self.pages(record)
        self.assertNotIn("games", pages["player-1.html"].scripts)
        self.assertIn("None was thrown", " ".join(pages["player-1.html"].text))
        _, pages = self.pages(record, "--pages", "3")
        self.assertEqual(len(self.games(pages["player-1.html"])), 3)
        _, pages = self.pages(record, "--pages", "all")
        self.assertEqual(len(self.games(pages["player-2.html"])), 8)

    def test_games_in_which_the_player_erred_come_first(self):
        crash = player(zoo("exit_in_a_move"), name="Crash")
        record = self.tournament(crash, player("builtin:random", name="Chance"), GOOD, games=8,
                                 positions=["nim:3,4,5"])
        _, pages = self.pages(record, "--pages", "1")
        # Of 16 games, the opponent's faults among them, one that Chance lost.
        game, = self.games(pages["player-2.html"])
        self.assertNotIn("Crash", game["players"])
        game, = self.games(pages["player-1.html"])
        self.assertIn("Crash", game["players"])
        self.assertIn("disconnected", game["title"])

    def test_unknown_values_are_marked_and_analyses_kept(self):
        record = self.tournament(GOOD, player("builtin:random", name="Chance"))
        run, pages = self.pages(record, "--analysis", "0")
        self.assertIn("4 games not analysed", run.out.decode())
        self.assertIn("Not analysed: 4 of 4 games", " ".join(pages["index.html"].text))
        self.assertIn("Whether one was thrown is not known of 4 games, which are not analysed",
                      " ".join(pages["player-1.html"].text))
        self.assertIn("4 games analysed", self.pages(record)[0].out.decode())
        self.assertNotIn("games analysed", self.pages(record)[0].out.decode())

    def test_cells_of_the_cross_table_lead_to_the_games_and_are_shaded_by_their_points(self):
        record = self.tournament(GOOD, player("builtin:random", name="Chance"),
                                 player("builtin:perfect", name="Other"))
        _, pages = self.pages(record, "--pages", "all")
        links = {value for tag, name, value in pages["index.html"].attributes
                 if (tag, name) == ("a", "href") and "#" in value}
        self.assertEqual(links, {f"player-{i}.html#vs-{j}" for i in (1, 2, 3) for j in (1, 2, 3)
                                 if i != j})
        for number in (1, 2, 3):
            page = pages[f"player-{number}.html"]
            keys = {"#game-" + game["key"] for game in self.games(page)}
            self.assertEqual(len(keys), 8)
            found = [value for tag, name, value in page.attributes if name in ("id", "href")]
            self.assertLessEqual(keys, set(found))
            self.assertEqual({value for value in found if value.startswith("vs-")},
                             {f"vs-{other}" for other in (1, 2, 3) if other != number})
        html = (self.folder / "pages" / "index.html").read_text()
        heads = re.search(r'<table class="cross.*?</thead>', html, re.S).group()
        for name in ("Good", "Chance", "Other"):
            self.assertIn(f'title="{name}"', heads)
        cells = re.findall(r'<td class="h(\d+)"><a href="player-\d\.html#vs-\d" title="(\d+)(½?) of (\d+) games"', html)
        self.assertEqual(len(cells), 6)
        for shade, points, half, games in cells:
            share = (int(points) + (0.5 if half else 0)) / int(games)
            self.assertAlmostEqual(int(shade), 10 * share, delta=0.5)
            is_coloured = f".h{shade} {{ background:" in html
            self.assertEqual(is_coloured, shade != "5", "half of the points has no colour")
        self.assertGreater(len({shade for shade, *_ in cells}), 1, cells)

    def test_the_bracket_of_a_knockout(self):
        record = self.folder / "knockout.db"
        self.arena("tournament", "--format", "knockout", *GOOD, "--games", 4, "--seed", 1,
                       *player("builtin:random", name="Chance"), "--record", record,
                       *player("builtin:random", name="Luck"), status=0)
        text = re.sub(r"\s+", " ", " ".join(self.pages(record)[1]["index.html"].text))
        for words in ("Bracket", "wins. Players stand by the round that they reached", "a bye",
                      "and 4 for each bye", "round 1", "final"):
            self.assertIn(words, text)

    def test_the_reader_chooses_whose_ratings_are_drawn(self):
        record = self.tournament(*[player("builtin:random", name=f"R{i}") for i in range(10)],
                                 positions=("nim:3,4",), games=2)
        page = self.pages(record)[1]["index.html"]
        lines = [value for tag, name, value in page.attributes
                 if (tag, name) == ("polyline", "class")]
        off = [value.endswith(" off") for value in lines]
        self.assertEqual((len(off[:10]), sum(off)), (10, 2), lines)
        for i in range(10):
            self.assertIn(f"R{i}", page.text)

    def test_a_record_that_cannot_be_written_is_read_as_it_is(self):
        record = self.tournament(GOOD, player("builtin:random", name="Chance"))
        with open(f"{record}-lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # as a tournament does
            run, pages = self.pages(record)
        self.assertIn("The record is read as it is: ", run.out.decode())
        self.assertIn("4 games not analysed", run.out.decode())
        self.assertIn("Chance", " ".join(pages["index.html"].text))

    def test_a_terminal_shows_what_takes_long(self):
        record = self.tournament(GOOD, player("builtin:random", name="Chance"))
        said = self.run_on_a_terminal("report", record, "-o", self.folder / "pages")
        self.assertRegex(said, "(?s)reading the games.*writing the pages.*index.html")
        said = self.run_on_a_terminal("export", record, "--format", "csv")
        self.assertRegex(said, r"(?s)^\rreading the games\x1b\[K.*\r\x1b\[Kplayer")

    def test_bad_command_lines(self):
        cases = [
            ([], 2, "read no record, expected its file"),
            (["x.db"], 2, "read no -o, expected a folder to write to"),
            (["x.db", "y.db", "-o", "p"], 2, "read 'y.db' after the record 'x.db'"),
            (["x.db", "-o", "p", "--pages", "some"], 2,
             "read 'some', expected faults, all, or how many games a player"),
            ([str(self.folder / "none.db"), "-o", str(self.folder / "p")], 1, "none.db"),
        ]
        for words, status, message in cases:
            run = self.arena("report", *words, status=status)
            self.assertIn(message, run.report())
        self.assertFalse((self.folder / "none.db").exists())
        self.assertEqual(self.arena("report", "--help").status, 0)
