"""Moves and a whole game by touch, on a phone of 360 by 740 pixels."""
from kinds import KINDS
from playing import TouchTest, truth


class Touch(TouchTest):
    def test_every_kind_of_pile_fits_the_phone(self):
        for kind, position in KINDS.items():
            with self.subTest(kind):
                self.play(position)
                self.assertEqual(self.small_targets(), [])
                self.make(truth(position)["winning_moves"][0])
                self.assertLessEqual(
                    self.run_js("return document.documentElement.scrollWidth"), 360)

    def small_targets(self):
        """Those below 24 px each way, without that much room around their middle: WCAG 2.2 requires
        this."""
        return self.run_js("""
          const boxes = [...document.querySelectorAll("button, input, select, summary, .part")]
            .map((node) => [node, node.getBoundingClientRect()])
            .filter(([node, box]) => box.width > 0 && node.checkVisibility());
          const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
          return boxes.filter(([node, box]) => {
            if (box.width >= 24 && box.height >= 24) return false;
            const label = node.closest("label");
            if (label && label.getBoundingClientRect().height >= 24) return false;
            const [x, y] = middle(box);
            return boxes.some(([other, near]) => other !== node && (() => {
              const dx = Math.max(near.left - x, 0, x - near.right);
              const dy = Math.max(near.top - y, 0, y - near.bottom);
              return Math.hypot(dx, dy) < 12; })());
          }).map(([node, box]) => `${node.className} ${node.dataset.part ?? node.id}` +
            ` ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`);""")
