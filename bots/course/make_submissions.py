#!/usr/bin/env python3
"""Writes the solutions of the course as students hand them in: make_submissions.py DIR.

Each file of nim/, tables/ and sums/ is what a student puts into the marked place of a kit. Here it is
put there: DIR/nim/reference/bot.py is the kit's nim_bot.py with nim/reference.py as its idea.
"""
import pathlib
import sys

COURSE = pathlib.Path(__file__).resolve().parent
KITS = {"nim": "nim_bot.py", "tables": "random_bot.py", "sums": "random_bot.py"}


def bot(assignment, idea):
    kit = (COURSE.parent / "python" / KITS[assignment]).read_text()
    begin = kit.index("def choose_move(")
    end = kit.index("\n\n\n", begin)
    handout = "" if assignment == "nim" else (COURSE / "handout.py").read_text() + "\n\n"
    return kit[:begin] + handout + idea.rstrip() + kit[end:]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: make_submissions.py DIR")
    for assignment in KITS:
        for idea in sorted((COURSE / assignment).glob("*.py")):
            folder = pathlib.Path(sys.argv[1]) / assignment / idea.stem
            folder.mkdir(parents=True)
            (folder / "bot.py").write_text(bot(assignment, idea.read_text()))
            (folder / "bot.py").chmod(0o755)


try:
    main()
except OSError as error:
    sys.exit(f"make_submissions.py: {error.filename}: {error.strerror}")
