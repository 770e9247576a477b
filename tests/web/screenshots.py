#!/usr/bin/python3
"""Makes the pictures of the README: tests/web/screenshots.py [FOLDER], arena/doc by default.

A game in the middle with all that can be shown of it, the period of Kayles, and a tournament as it
is watched. They are small: 900 pixels wide, and with few colours. Needs Debian's python3-pil.
"""
import base64
import io
import os
import pathlib
import shlex
import sys
import unittest

from PIL import Image

os.environ["NIMARENA_WEB_PICTURES"] = "1"  # before a browser is started

from browser import ROOT, Server, WebTest, player  # noqa: E402
from playing import PlayTest  # noqa: E402

SCREEN = {"width": 1200, "height": 1020, "deviceScaleFactor": 0.75, "mobile": False}
WALL = {"width": 1440, "height": 1150, "deviceScaleFactor": 0.625, "mobile": False}
PICTURE = {"width": 1200, "height": 800, "deviceScaleFactor": 0.75, "mobile": False}
COLOURS = 128


class Pictures:
    """For a test: saves the screen as a picture."""
    def keep(self, name, screen):
        shot = self.command("Page.captureScreenshot", clip={
            "x": 0, "y": 0, "width": screen["width"], "height": screen["height"], "scale": 1})
        file = FOLDER / name
        picture = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
        # By coverage: the colour of a single cell is kept.
        few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
        few.save(file, optimize=True)
        print(f"{file}: {file.stat().st_size} bytes")


class Play(Pictures, PlayTest):
    def test_a_game_in_the_middle(self):
        self.play("kayles:9+nim:7+wythoff:(5,3)+cookie:(2,4,3)", ["1=3,4", "3=4"],
                  "perfect,sum,piles,ideal,why")
        self.screen(SCREEN)
        self.keep("play.png", SCREEN)


class Explore(Pictures, WebTest):
    def test_the_period_of_kayles(self):
        self.open("/explore")
        self.screen(PICTURE)
        self.until("document.querySelector('#picture').dataset.ready === 'true'")
        self.run_js("""document.querySelector('#picture [data-heap="95"]').dispatchEvent(
                    new PointerEvent("pointerover", {bubbles: true}))""")
        self.keep("explore.png", PICTURE)


# A slow bot.
BOT = """
import random, sys, time
chance = random.Random(sys.argv[1])
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("option name LegalMoves type check default false\\nugiok", flush=True)
    if words[0] == "isready": print("readyok", flush=True)
    if words[0] == "go":
        time.sleep(chance.uniform(0.05, 0.7))
        print("bestmove", chance.choice(words[words.index("searchmoves") + 1:]), flush=True)
    if words[0] == "quit": break
"""


class Watch(Pictures, WebTest):
    @classmethod
    def start_server(cls):
        bot = cls.folder / "bot.py"
        bot.write_text(BOT, encoding="utf-8")
        command = shlex.join([sys.executable, str(bot)])
        return Server("--name", "Spring cup", *player(f"{command} 1", name="Ann"),
                      *player(f"{command} 2", name="Bob"),
                      *player("builtin:eps:0.2", name="Cy"), *player("builtin:random", name="Dee"),
                      "--games", 20, "--seed", 1,
                      "--position", "kayles:11+nim:5,7+lasker:6",
                      "--position", "wythoff:(9,6)+cookie:(7,8,6)+nim:9",
                      "--analysis", 0, "--movetime", 0, "--concurrency", 6, "--affinity", "off",
                      command=("tournament", "--web", "127.0.0.1:0"), said="watch on ")

    def test_a_tournament(self):
        self.open("/live")
        self.screen(WALL)
        self.wait(lambda: len(self.all("#boards > *:not(.over)")) >= 4
                  and len(self.all("#finished > *")) >= 12)
        self.keep("live.png", WALL)


if __name__ == "__main__":
    FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "arena" / "doc")
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1], defaultTest=[
        "Play.test_a_game_in_the_middle", "Explore.test_the_period_of_kayles",
        "Watch.test_a_tournament"])
