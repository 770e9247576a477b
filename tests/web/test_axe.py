"""axe-core is installed and finds a planted violation; the other tests run it on each page."""
from browser import TAKE_OUT, WebTest, axe_source


class Axe(WebTest):
    def test_axe_core_finds_violations(self):
        if axe_source() is None:
            self.skipTest("NOTHING IS TRIED: axe-core is not there")
        self.open("/")
        self.until("document.querySelector('#board').dataset.ready === 'true'")
        self.look("start", but=".setup")
        self.run_js(TAKE_OUT, ".setup")
        self.run_js("document.querySelector('#status').style.color = '#eee';"
                    "document.querySelector('#undo').textContent = '';"
                    "document.querySelector('main').append(document.createElement('img'));")
        found = [line.split(" ")[0] for line in self.violations()]
        self.assertEqual(sorted(found), ["button-name", "color-contrast", "image-alt"])
