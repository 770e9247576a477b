"""What is marked as ideal on the board is what a press there does."""
import random

from browser import WIDE
from playing import PHONE, PlayTest, truth

# Moves that are marked: by a dot on what is pressed, by a bar under what is taken together.
MARKS = """
return [...document.querySelectorAll("#board .piece")].map((piece) => ({
  pile: piece.dataset.pile, heap: Number(piece.dataset.heap),
  dots: [...piece.querySelectorAll(".part.ideal")].map((part) =>
    [part.dataset.part, part.dataset.result ?? null]),
  bars: [...piece.querySelectorAll(".run")].map((bar) =>
    [bar.parentNode.dataset.part, Number(bar.style.getPropertyValue("--length")), bar.dataset.result])}));
"""


def left_of(heap, first, length):
    """What a row becomes where `length` pins from number `first` on are taken."""
    left = sorted(size for size in (first, heap - first - length) if size > 0)
    return ",".join(map(str, left)) or "0"


class Marks(PlayTest):
    def marked(self, position):
        self.play(position, options="two,ideal")
        found = set()
        for piece in self.run_js(MARKS):
            for key, result in piece["dots"]:
                if result is None:  # of several moves with this pin, the one that takes it alone
                    result = left_of(piece["heap"], int(key[1:]), 1)
                found.add(f"{piece['pile']}={','.join(sorted(result.split(','), key=int))}")
            for key, length, result in piece["bars"]:
                self.assertEqual(result, left_of(piece["heap"], int(key[1:]), length))
                found.add(f"{piece['pile']}={result}")
        return found

    def test_marks_are_the_winning_moves(self):
        draw = random.Random(7)
        rows = ("kayles", "dawson-kayles", "octal{0.137}", "octal{0.77}", "officers", "lasker")
        for position in ["kayles:10+nim:7", "kayles:12,7", "octal{0.007}:9,15,14"] + [
                f"{draw.choice(rows)}:{draw.randint(3, 14)},{draw.randint(1, 9)}+nim:{draw.randint(1, 9)}"
                for _ in range(6)]:
            with self.subTest(position):
                known = truth(position)
                best = known["winning_moves"] or []
                self.assertEqual(self.marked(position), set(best))

    def test_marks_on_pictures_are_the_winning_moves(self):
        for position in ("chomp:(4,3,3)", "node-kayles{a->b;b->c;c->d;d->a,e}:31",
                         "arc-kayles{a->b;b->c;c->d;d->a,e;e->f}:63",
                         "hackenbush{ground->a,d;a->b,c;b->c;d->f}:63"):
            with self.subTest(position):
                self.play(position, options="two,ideal")
                found = {f"{piece['pile']}={result}" for piece in self.run_js(MARKS)
                         for _, result in piece["dots"]}
                self.assertEqual(found, set(truth(position)["winning_moves"]))

    def test_a_pin_that_needs_its_neighbour_is_not_marked(self):
        self.assertIn("2=5", self.marked("kayles:12,7"))
        key = '#board .piece[data-pile="2"] .part[data-part="s0"]'
        self.assertNotIn("ideal", self.attribute(key, "class"))
        self.assertEqual(self.attribute(key, "aria-label"),
                         "pin 1 of 7; ideal: take pins 1 to 2, leaves 5")
        self.press(2, "s3")
        self.assertEqual(self.text("[data-take]"), "Take 1")
        self.press(1, "s3")
        self.assertEqual(self.text("[data-take]"), "Take 1, ideal")

    def test_rows_are_not_wrapped(self):
        self.play("moore{2}:(3,16,20)+kayles:30+lasker:18", options="two")
        for size in (PHONE, WIDE):
            self.screen(size)
            tops = self.run_js("""
              return [...document.querySelectorAll("#board .line")].map((line) =>
                new Set([...line.querySelectorAll(".part, .stone, .pin")].filter((part) =>
                  !part.classList.contains("gap")).map((part) =>
                    Math.round(part.getBoundingClientRect().bottom))).size)""")
            self.assertEqual(set(tops), {1}, size)


class Reasons(PlayTest):
    """What the drawings show of the reason."""

    def test_a_queen_is_shown_her_goal_and_the_cold_squares(self):
        self.play("wythoff:(4,7)", options="two")
        self.assertEqual(len(self.all("#board .goal")), 1)
        self.assertEqual(self.all("#board .cold"), [])
        self.play("wythoff:(4,7)", options="two,why")
        cold = self.run_js("""
          return [...document.querySelectorAll("#board .cold")].map(({style}) =>
            [style.gridColumn - 1, 8 - style.gridRow])""")
        self.assertEqual(sorted(cold), [[0, 0], [1, 2], [2, 1], [3, 5], [4, 7]])
        self.look("cold-squares")

    def test_stones_stand_in_the_columns_of_the_reason(self):
        self.play("nim:3,4,5+kayles:6", options="two,why")
        groups = self.run_js("""
          return [...document.querySelectorAll("#board .kind-pile")].map((row) =>
            [...row.children].map(({classList}) =>
              (classList.contains("group") ? "|" : "") + (classList.contains("odd") ? "o" : "e")).join(""))""")
        # 3, 4, 5 and the 3 of kayles:6 make XOR 1.
        self.assertEqual(groups, ["ee|o", "eeee", "eeee|o"])
