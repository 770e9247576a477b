"""The play page for tests. Its hooks are listed at the top of arena/web/page/play.js."""
import re
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PHONE, WebTest, truth  # noqa: F401 (tests import truth from here)

# Everything that the page shows of the game, read at once.
STATE = """(() => {
const text = (selector) => document.querySelector(selector)?.textContent ?? null;
const board = document.querySelector("#board"), outcome = document.querySelector("#outcome");
return {
  ready: board?.dataset.ready === "true", player: Number(board?.dataset.player),
  status: text("#status"), note: text("#note"), hash: location.hash,
  outcome: outcome && !outcome.hidden ? outcome.dataset.result : null,
  told: outcome && !outcome.hidden ? [...outcome.children].map((node) => node.textContent) : null,
  pieces: [...document.querySelectorAll("#board .piece")].map((piece) => ({
    pile: Number(piece.dataset.pile), heap: piece.dataset.heap,
    value: piece.querySelector(".value")?.dataset.value ?? null,
    parts: [...piece.querySelectorAll(".part")].map((part) =>
      [part.dataset.part, part.dataset.result ?? null, part.classList.contains("ideal")]),
    moves: piece.moves.map(({result, press}) => [result, press]),
    pass: piece.querySelector("[data-pass]") !== null})),
  moves: [...document.querySelectorAll("#moves [data-ply]")].map((node) => node.textContent),
}; })()"""

# The part with the focus, and the arrow keys sorted by how far they lead towards another part.
WAYS = """
const here = document.activeElement, to = document.querySelector(arguments[0]);
const a = here.getBoundingClientRect(), b = to.getBoundingClientRect();
const x = b.left + b.width / 2 - a.left - a.width / 2;
const y = b.top + b.height / 2 - a.top - a.height / 2;
const gains = {ARROW_LEFT: -x, ARROW_RIGHT: x, ARROW_UP: -y, ARROW_DOWN: y};
return [here.dataset.part, Object.keys(gains).sort((one, other) => gains[other] - gains[one])];
"""

# Lets Tab do nothing once the focus is in the element of a selector. Returns whether it is, and lets go then.
HOLD_TAB = """
const [selector] = arguments;
const focus = () => document.activeElement;
const inside = (held) => focus() !== document.body && focus().closest(held) !== null;
if (window.__held === undefined) addEventListener("keydown", (event) => {
  if (event.key !== "Tab" || window.__held === null || !inside(window.__held)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
window.__held = inside(selector) ? null : selector;
return window.__held === null;
"""

READY = "document.querySelector('#board')?.dataset.ready === 'true'"

# Goes to another game as by a link within the page, and calls back with the state of it; with null if
# another page is open, or that game. What an earlier test unfolded is folded.
FOLLOW = f"""
const [page, hash, done] = arguments;
if (location.origin + location.pathname !== page || location.hash === hash) return done(null);
addEventListener("popstate", () => __once(() => ({READY}), () => done({STATE})),
  {{once: true}});  // after the page's own listener
for (const fold of document.querySelectorAll("details[open]")) fold.open = false;
location.hash = hash;
"""


def same_heaps(one, other):
    """Whether two results are the same piles in any order."""
    return one == other or sorted(split_heaps(one)) == sorted(split_heaps(other))


def split_heaps(text):
    found, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return found


def one_pass_less(heap):
    size, passes = heap[1:-1].split(",")
    return f"({size},{int(passes) - 1})"


def address(position, moves=(), options="perfect", at=None):
    """The part of an address that holds a game."""
    words = f"#p={urllib.parse.quote(position)}"
    if moves:
        words += "&m=" + ";".join(urllib.parse.quote(move) for move in moves)
    if at is not None:
        words += f"&n={at}"
    return f"/{words}&o={options}"


class PlayTest(WebTest):
    def look(self, name, but=".setup"):  # which its own tests look at
        super().look(name, but)

    # ---- the state of the page ----

    def play(self, position, moves=(), options="perfect", at=None):
        """Goes to a game: within the page if the class has it open, as by a link, which takes a sixth of
        the time."""
        hash_ = address(position, moves, options, at)
        return self.run_until(FOLLOW, self.server.url + "/", hash_.lstrip("/"),
                              what=f"{position} is never shown") or self.load(hash_)

    def load(self, path):
        """Loads the page anew."""
        self.open(path)
        return self.ready()

    def state(self):
        return self.run_js(f"return {STATE}")

    def ready(self):
        """The state once everything is drawn and no response is pending."""
        return self.until(READY, result=STATE, what="the board is never ready")

    def fields(self, raw=None):
        """Position, moves and options in an address, by default the one of the page."""
        raw = raw or self.run_js("return location.hash")
        found = dict(part.split("=", 1) for part in raw.lstrip("#").split("&") if "=" in part)
        found = {key: urllib.parse.unquote(text) for key, text in found.items()}
        return (found.get("p", ""), [move for move in found.get("m", "").split(";") if move],
                found.get("o", ""))

    def position(self, raw=None):
        """The position on the board at an address, in the server's notation."""
        raw = raw or self.run_js("return location.hash")
        start, moves, _ = self.fields(raw)
        at = re.search("&n=([0-9]+)", raw)
        game = self.server.ask("/api/game", position=start,
                               moves=moves[:int(at[1])] if at else moves)
        return game["position"]

    def change(self, action):
        """Calls a function that changes the address, and waits until the page has followed."""
        before = self.run_js("return location.hash")
        action()
        return self.until(f"location.hash !== given[0] && {READY}", before, result=STATE,
                          what="nothing changes")

    def wait_piles(self, expected):
        def are_there():
            state = self.state()
            return state["ready"] and [(piece["pile"], piece["heap"]) for piece in state["pieces"]] \
                == list(enumerate(expected, 1))
        self.wait(are_there, f"the piles do not become {expected}")

    # ---- moves ----

    def press(self, pile, key):
        """Presses a part of a pile, by mouse; subclasses override it."""
        self.click(f'#board .piece[data-pile="{pile}"] .part[data-part="{key}"]')

    def push(self, selector):
        """Pushes a button; subclasses override it."""
        self.click(selector)

    def fill(self, pile, result):
        """Plays by the text field; subclasses override it."""
        if not self.run_js("return document.querySelector('#by-text').open"):
            self.click("#by-text summary")
        self.find(f'#move-pile option[value="{pile}"]').click()
        self.write("#move-text", result)
        self.click("#move-play")

    def make(self, move, state=None):
        """Makes a move on the drawing if possible, else by the text field; waits for the reply. `state`
        is the one before it, if it is known. Returns how it was made, and the state after it."""
        number, result = move.split("=", 1)
        state = state or self.ready()
        piece = next(p for p in state["pieces"] if p["pile"] == int(number))
        keys = self.keys_of(piece, result)
        if keys is None and piece["pass"] and result == one_pass_less(piece["heap"]):
            self.push(f'#board .piece[data-pile="{number}"] [data-pass]')
            how = "board"
        elif keys is None:
            self.fill(int(number), result)
            how = "text"
        else:
            for key in keys:
                self.press(int(number), key)
                if len(keys) > 1 and self.moved(state):
                    break
            how = "board"
        return how, self.until(f"location.hash !== given[0] && {READY}", state["hash"], result=STATE,
                               what=f"{move} is not made")

    def moved(self, before):
        now = self.state()
        return not now["ready"] or now["hash"] != before["hash"]

    @staticmethod
    def keys_of(piece, result):
        """The parts to press for a result, in order; None if no parts show it."""
        for key, own, _ in piece["parts"]:
            if own is not None and same_heaps(own, result):
                return [key]
        pins = [key for key, own, _ in piece["parts"] if own is None and key.startswith("s")]
        left = split_heaps(result)
        for own, press in piece["moves"] if not pins or len(left) > 2 else []:
            if same_heaps(own, result):
                return press + press[-1:]  # the last one again: of Moore's moves it may be one of many
        if not pins or not all(size.isdigit() for size in [piece["heap"], *left]):
            return None
        low, high = sorted([0, *map(int, left)])[-2:]
        first, last = low, int(piece["heap"]) - high - 1
        if last < first:
            return None
        # Choose neighbours until only one move has all of them; the last one pressed again takes them.
        return [f"s{first}", f"s{last}", f"s{last}"]

    def play_on(self, choose, until=60):
        """Makes the visitor's moves until the game is over; returns how each was made, and the state
        in the end."""
        ways, state = [], self.ready()
        for _ in range(until):
            if state["outcome"] is not None:
                return ways, state
            self.assertIn("Your move.", state["status"])
            way, state = self.make(choose(self.position(state["hash"])), state)
            ways.append(way)
        return self.fail("the game does not end")

    def win(self):
        """Makes winning moves to the end of the game."""
        return self.play_on(lambda position: truth(position)["winning_moves"][0])


class KeyboardTest(PlayTest):
    """The same, by keyboard only."""

    def keys(self, *keys):
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def focused(self, selector):
        return self.run_js("return document.activeElement?.closest(arguments[0]) !== null &&"
                           " document.activeElement !== document.body", selector)

    def tab_to(self, selector):
        """Tabs until the focus is in the element of `selector`. Eight times at once, as each key by itself
        takes as long as five together: once the focus is there, the rest do nothing."""
        for _ in range(25):
            if self.run_js(HOLD_TAB, selector):
                return self.assert_focus_shows()
            self.keys(*[Keys.TAB] * 8)
        return self.fail(f"Tab never comes to {selector}")

    def assert_focus_shows(self):
        seen = self.run_js("""
          const node = document.activeElement, box = node.getBoundingClientRect();
          const seen = node.matches(":focus-visible") ? [node, ...node.querySelectorAll("*")] : [];
          return {in: box.top >= -1 && box.bottom <= innerHeight + 1,
                  ring: seen.some((part) => { const style = getComputedStyle(part);
                    return style.outlineStyle !== "none" || style.boxShadow !== "none" ||
                      style.strokeWidth !== "0px"; })}""")
        self.assertTrue(seen["ring"], "the focus cannot be seen")

    def press(self, pile, key):
        piece = f'#board .piece[data-pile="{pile}"]'
        self.tab_to(f"{piece} .part")
        tried = set()
        for _ in range(80):
            here, ways = self.run_js(WAYS, f'{piece} .part[data-part="{key}"]')
            if here == key:
                return self.keys(Keys.ENTER)
            # Towards it, but never twice in the same direction from one part.
            way = next((way for way in ways if (here, way) not in tried), ways[0])
            tried.add((here, way))
            self.keys(getattr(Keys, way))
        return self.fail(f"the arrow keys do not come to {key} of pile {pile}")

    def push(self, selector):
        self.tab_to(selector)
        self.keys(Keys.ENTER)

    def fill(self, pile, result):
        if not self.run_js("return document.querySelector('#by-text').open"):
            self.tab_to("#by-text summary")
            self.keys(Keys.ENTER)
        self.tab_to("#move-pile")
        self.choose("#move-pile", str(pile))
        self.tab_to("#move-text")
        self.keys(result, Keys.ENTER)

    def choose(self, selector, value):
        """Picks an option of a list that has the focus."""
        for key in [Keys.HOME] + [Keys.ARROW_DOWN] * 60:
            if self.attribute(selector, "value") == value:
                return
            self.keys(key)
        self.fail(f"{selector} never becomes {value}")


class TouchTest(PlayTest):
    """The same, by touch on a phone."""
    touch = True

    def setUp(self):
        super().setUp()
        self.screen(PHONE)

    def click(self, selector):
        box = self.run_js("""
          const node = document.querySelector(arguments[0]);
          node.scrollIntoView({block: "center", inline: "center"});
          const box = node.getBoundingClientRect(), x = box.left + box.width / 2,
            y = box.top + box.height / 2, there = document.elementFromPoint(x, y);
          return {x, y, free: node.contains(there), there: there?.outerHTML.slice(0, 200)}""",
                          selector)
        self.assertTrue(box["free"], f"{selector} is covered by {box['there']}")
        self.command("Input.dispatchTouchEvent", type="touchStart",
                     touchPoints=[{"x": box["x"], "y": box["y"]}])
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
