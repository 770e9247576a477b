"""The page on which a visitor writes a bot. Its hooks are listed at the top of arena/web/page/bot.js."""
import urllib.parse

from selenium.webdriver.common.keys import Keys

from browser import PATIENCE, WebTest, player, zoo
from playing import READY

ALL = "function bestMove(position, moves) { %s }"
XOR = ALL % """
  const piles = position.slice(4).split(",").map(Number), sum = piles.reduce((a, b) => a ^ b);
  const pile = piles.findIndex((stones) => (stones ^ sum) < stones);
  console.log(position);
  return pile < 0 ? moves[0] : `${pile + 1}=${piles[pile] ^ sum}`;"""


# Follows a link within the page; false if another page is open, or that link.
FOLLOW = """
const [page, hash] = arguments;
if (location.origin + location.pathname !== page || location.hash === hash) return false;
document.querySelector("#code").value = "";  // until the page has read the address
location.hash = hash;
return true;
"""


def link(code, position="nim:3,4,5", options="perfect", seconds=PATIENCE):
    values = {"p": position, "o": options, "t": seconds, "code": code}
    return "/bot#" + "&".join(f"{name}={urllib.parse.quote(str(value))}"
                              for name, value in values.items())


class BotPage(WebTest):
    server_arguments = player(zoo("crash", "SIGSEGV"), name="crasher")

    def setUp(self):
        super().setUp()
        self.forget()

    def page(self, path):
        self.open(path)
        self.is_there()

    def is_there(self):
        self.until("document.querySelector('#code').value !== ''", what="the page is never ready")

    def play(self, code, **given):
        """What the page says after a game, which it comes to by a link if it is open: [result, title, text]."""
        wanted = link(code, **given)
        page, hash_ = wanted.split("#")
        if self.run_js(FOLLOW, self.server.url + page, "#" + hash_):
            self.is_there()
        else:
            self.page(wanted)
        return self.result()

    def result(self):
        self.click("#run")
        return self.until("!document.querySelector('#outcome').hidden", what="the game never ends",
                          result="[document.querySelector('#outcome').dataset.result, "
                                 "...[...document.querySelector('#outcome').children]"
                                 ".map((node) => node.textContent)]")

    def test_a_right_bot_wins_what_is_won(self):
        self.assertEqual(self.play(XOR), ["won", "Your bot won", "No move of yours was a mistake."])
        self.assertTrue(self.text("#printed").startswith("nim:3,4,5\n"))
        self.look("bot")

    def test_what_lost_the_game_is_told(self):
        self.page("/bot")  # the bot to start from
        self.write("#limit", "60")
        result, title, text = self.result()
        self.assertEqual([result, title], ["lost", "Your bot lost"])
        self.assertRegex(text, r"^because move 1 .*gave it away.*\. Your mistakes: move 1\.$")
        self.assertIn("mistake", self.text("#moves li"))
        self.assertRegex(self.text("#moves li"), "^Your bot takes ")
        self.click("#look")
        self.until(READY)
        self.assertTrue(self.all("#moves .mistake"))

    def test_a_game_without_a_mistake_is_told_so(self):
        self.assertEqual(self.play(XOR, position="nim:1,1"),
                         ["lost", "Your bot lost", "No move of yours was a mistake: the start was lost."])
        self.page("/bot")
        saved = [node.get_attribute("href").rpartition("/")[2] for node in self.all("[download]")]
        self.assertEqual(saved, ["connect.py", "nim_bot.py", "nim_bot.js", "NimBot.java", "nim_bot.cpp"])

    def test_the_opponent_may_begin(self):
        self.assertEqual(self.play(XOR, position="nim:1,2,3", options="random,second")[0], "won")
        self.assertEqual(self.play(XOR, position="nim:1,1", options="perfect,second")[0], "won")

    def test_what_is_wrong_with_the_code_is_told_with_its_line(self):
        self.allow("400")  # of the illegal move
        for code, line, words in (
                ("// one\nfunction bestMove( {", 2, "SyntaxError: Unexpected end of input."),
                ("throw new Error('early')", 1, "early"),
                (ALL % "\n\n  return movs[0];", 3, "movs is not defined"),
                ("const best = 1;", None, "There is no function bestMove(position, moves)."),
                (ALL % "return 5", None, 'The function bestMove returned number, expected a text such as "1=0".'),
                (ALL % "return '1=9'", None, "It played “1=9”: heap 1 is '3' and cannot become '9'")):
            with self.subTest(code):
                result, title, text = self.play(code)
                self.assertEqual([result, title], ["fault", "Your bot failed"])
                self.assertIn(words, text)
                self.assertEqual(text.startswith(f"Line {line}: "), line is not None, text)
                if line:
                    self.assertEqual(self.run_js("""const code = document.activeElement;
                      return code.value.slice(code.selectionStart, code.selectionEnd)"""),
                                     code.split("\n")[line - 1])
        self.look("bot-failed")

    def test_a_loop_is_ended(self):
        for code in (ALL % "for (;;);", "for (;;);"):
            self.assertEqual(self.play(code, seconds=0.3),
                             ["fault", "Your bot failed", "No answer after 0.3 s."])
        self.page(link(ALL % "for (;;);"))
        self.click("#run")
        self.until("!document.querySelector('#stop').disabled")
        self.click("#stop")
        self.until("document.querySelector('#outcome').dataset.result === 'stopped'")
        self.until("!document.querySelector('#run').disabled")

    def test_a_fault_of_the_opponent_is_told(self):
        result, title, text = self.play(XOR, options="bot:0")
        self.assertEqual([result, title], ["fault", "No game"])
        self.assertIn("The bot crasher failed: ", text)

    def test_a_wait_for_the_server_is_stopped(self):
        self.page(link(XOR))
        self.addCleanup(self.leave)
        self.run_js("window.fetch = () => new Promise(() => {})")
        self.click("#run")
        self.click("#stop")
        self.until("document.querySelector('#outcome').dataset.result === 'stopped'")

    def test_the_focus_goes_on(self):
        focus = "return document.activeElement.id"
        self.page(link(ALL % "for (;;);"))
        self.find("#run").send_keys(Keys.ENTER)
        self.until("!document.querySelector('#stop').disabled")
        self.assertEqual(self.run_js(focus), "stop")
        self.find("#stop").send_keys(Keys.ENTER)
        self.until("document.querySelector('#stop').disabled")
        self.assertEqual(self.run_js(focus), "outcome")

    def test_a_bug_of_the_page_is_told(self):
        self.allow("is not a constructor")
        self.page(link(XOR))
        self.addCleanup(self.leave)
        self.run_js("window.Worker = undefined")
        self.assertEqual(self.result(), ["fault", "No game", "Worker is not a constructor."])
        self.until("window.__trouble.length > 0")
        self.assertEqual(self.run_js("return window.__trouble.splice(0)"),
                         ["rejection: TypeError: Worker is not a constructor"])

    def test_the_address_is_not_read_during_a_game(self):
        self.page(link(ALL % "for (;;);"))
        self.click("#run")
        self.run_js("location.hash = 'code=1'")
        self.run_js("return fetch('/api/site').then(() => 0)")
        self.click("#stop")
        self.until("document.querySelector('#stop').disabled")
        self.assertIn("for", self.run_js("return document.querySelector('#code').value"))

    def test_what_it_prints_is_cut(self):
        self.play(ALL % """
          for (let line = 0; line < 200; line++) postMessage({log: "x".repeat(1000)});
          return moves[0];""", position="nim:1")
        self.assertEqual(self.text("#printed"), ("x" * 500 + "\n") * 100)

    def test_a_flood_of_messages_is_ended(self):
        self.assertEqual(self.play("for (let line = 0; line < 1001; line++) postMessage({log: 1});" + XOR),
                         ["fault", "Your bot failed", "More than 1000 messages without an answer."])

    def test_more_moves_than_are_listed_are_refused(self):
        for position in ("nim:500", "+".join(["nim:1"] * 501)):
            self.assertEqual(self.play(XOR, position=position),
                             ["fault", "No game",
                              "This position has more moves than the bot can be given."])

    def test_a_game_that_takes_too_long_to_check_is_no_fault_of_the_bot(self):
        self.page(link(XOR))
        self.addCleanup(self.leave)
        self.run_js("""const ask = window.fetch;
          const error = {text: "the moves of this game take too long to check", field: "moves"};
          window.fetch = (path, init) => (path === "/api/game" && JSON.parse(init.body).moves.length > 0)
            ? Promise.resolve(new Response(JSON.stringify({error}), {status: 422}))
            : ask(path, init);""")
        self.assertEqual(self.result(), ["fault", "No game",
                                         "The moves of this game take too long to check."])

    def test_a_bot_keeps_nothing_and_starts_nothing(self):
        self.play("""console.log(["indexedDB", "caches", "BroadcastChannel", "Worker",
            "webkitRequestFileSystem", "webkitRequestFileSystemSync"].filter((name) => name in self),
          ["storage", "storageBuckets"].filter((name) => name in navigator), "gone");""" + XOR)
        self.assertEqual(self.text("#printed").split("\n")[0], "  gone")

    def test_a_bot_has_no_network(self):
        self.allow("Content Security Policy")
        tries = ALL % """
          const from = new URL("/api/site", location.origin);
          try { importScripts("/draw.js"); return "loaded" } catch {}
          try {
            const request = new XMLHttpRequest();
            request.open("GET", from, false);
            request.send();
            return "fetched";
          } catch {}
          return moves[0];"""
        self.assertIn(self.play(tries)[0], ("won", "lost"))

    def test_the_code_is_kept(self):
        self.page("/bot")
        first = self.run_js("return document.querySelector('#code').value")
        self.find("#code").send_keys("// mine")
        self.click("#start-over")
        self.page("/bot")
        read = "return document.querySelector('#code').value"
        mine = self.run_js(read)
        self.assertIn("// mine", mine)
        self.click("#start-over")
        self.assertEqual(self.run_js(read), first)
        self.click("#start-over")
        self.assertEqual(self.run_js(read), mine)
        # Another's link does not replace it.
        self.assertEqual(self.play(XOR)[0], "won")
        self.page("/bot")
        self.assertEqual(self.run_js(read), mine)
        # A change of it is kept, and so is the visitor's own.
        self.page(link(XOR))
        self.assertEqual(self.text("#start-over"), "Back to my code")
        self.find("#code").send_keys("// a")
        self.find("#code").send_keys("nother")
        self.page("/bot")
        self.assertIn("// another", self.run_js(read))
        self.click("#start-over")
        self.assertEqual(self.run_js(read), mine)
        self.page("/bot")
        self.assertEqual(self.run_js(read), mine)
        self.assertEqual(self.text("#start-over"), "Show the first bot")

    def test_a_position_that_is_none_is_refused(self):
        self.allow("400")
        result, title, text = self.play(XOR, position="nim:x")
        self.assertEqual([result, title], ["fault", "No game"])
        self.assertIn("'x'", text)
