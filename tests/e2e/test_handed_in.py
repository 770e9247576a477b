"""nim-arena grade: what students hand in, as a folder in a folder, an archive, or by a platform."""
import csv
import io
import tarfile
import zipfile

from arena import *
from test_grade import SOLUTIONS, GradeTest


class HandedIn(GradeTest):
    """Each bot plays right once it is found: no player.toml tells it how. Archives are unpacked in the sandbox by
    hostile/test_submissions.py."""

    FOUND = SOLUTIONS.read_text().replace("import sys", "import sys\nsys.argv[1:] = ['right']", 1)

    def hand_in(self, name, text=FOUND):
        path = self.folder / "submissions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    @staticmethod
    def packed(kind, **files):
        """The bytes of an archive: a zip, or of a mode of tarfile."""
        memory = io.BytesIO()
        entries = {name: text.encode() for name, text in files.items()}
        if kind == "zip":
            with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, text in entries.items():
                    archive.writestr(name, text)
        else:
            with tarfile.open(fileobj=memory, mode=kind) as archive:
                for name, text in entries.items():
                    entry = tarfile.TarInfo(name)
                    entry.size = len(text)
                    archive.addfile(entry, io.BytesIO(text))
        return memory.getvalue()

    def write_platform_rubric(self, student=""):
        rule = f"student = {json.dumps(student)}\n" if student else ""
        self.write_rubric(f'''
name = "Nim"
seed = 1
movetime = 30000
sandbox = false
{rule}
[[part]]
name = "Right"
kind = "certify"
family = "nim;heaps=1;size=0..3"
points = 10
''')

    def rows(self, file):
        return list(csv.DictReader(io.StringIO((self.results / file).read_text())))

    def test_archives(self):
        self.write_platform_rubric()
        bot = {"bot.py": self.FOUND}
        self.hand_in("ann.zip", self.packed("zip", **bot))
        self.hand_in("bob.tar.gz", self.packed("w:gz", **{"bob-1.0/bot.py": self.FOUND, "bob-1.0/._bot.py": "x"}))
        self.hand_in("cy/hand in.ZIP", self.packed("zip", **bot))
        self.hand_in("cy/README", "x")
        self.hand_in("dan/bot.py")
        self.hand_in("dan/old.zip", b"no zip")
        self.hand_in("nested.zip", self.packed("zip", **{"x.zip": "x", "README": "x"}))
        self.hand_in("text.zip", "print()")
        grades = self.grade()
        reasons = {name: self.json(name)["tests"][0]["output"] for name in grades}
        self.assertEqual({name: grades[name]["total"] for name in grades},
                         {"ann": "10", "bob": "10", "cy": "10", "dan": "10", "nested": "0", "text": "0"}, reasons)
        self.assertTrue(reasons["nested"].endswith("; there is README, x.zip"), reasons)
        self.assertEqual(reasons["text"], "text.zip cannot be read: Unrecognized archive format")
        self.assertEqual(self.json("bob")["output"],
                         "unpacked bob.tar.gz; the bot is in the folder bob-1.0")
        self.assertEqual(self.json("cy")["output"], "unpacked hand in.ZIP")
        for name in grades:
            self.assertFalse((self.results / name / "handed-in.part").exists())
        written = (self.results / "bob" / "part-1.json").stat().st_mtime_ns
        self.hand_in("ann.zip", self.packed("zip", **{"bot.py": "import sys\nsys.exit(1)\n"}))
        self.assertEqual({name: row["total"] for name, row in self.grade().items() if row["total"] == "10"},
                         {"bob": "10", "cy": "10", "dan": "10"})
        self.assertEqual((self.results / "bob" / "part-1.json").stat().st_mtime_ns, written)  # not graded again

    def test_what_canvas_gives_out(self):
        self.write_platform_rubric("canvas")
        self.hand_in("smithann_12_345_bot.py")
        self.hand_in("smithbob_LATE_13_346_bot-2.py", "exec(open('helper.py').read())\n")
        self.hand_in("smithbob_LATE_13_347_helper-1.py")
        self.hand_in("smithcy_14_348_nim.zip", self.packed("zip", **{"bot.py": self.FOUND}))
        self.hand_in("smithcy_14_352_report.pdf", "x")
        self.hand_in("smithdan_15_349_bot.py", "import sys\nsys.exit(1)\n")
        self.hand_in("smitheve_16_text.html", "x")
        self.hand_in("smithfay_17_350_..")  # no name of a file, nor is what Canvas's number leaves of the next
        self.hand_in("smithgus_18_351_.-1")
        grades = self.grade()
        self.assertEqual({name: row["total"] for name, row in grades.items()},
                         {"smithann": "10", "smithbob": "10", "smithcy": "10", "smithdan": "0",
                          "smithfay": "0", "smithgus": "0"})
        self.assertEqual([(row["Student"], row["ID"], row["SIS Login ID"], row["Nim"]) for row in self.rows("canvas.csv")],
                         [("smithann", "12", "", "10"), ("smithbob", "13", "", "10"), ("smithcy", "14", "", "10"),
                          ("smithdan", "15", "", "0"), ("smithfay", "17", "", "0"), ("smithgus", "18", "", "0")])
        self.assertEqual(sorted(path.name for path in (self.results / "smithbob" / "build").iterdir()
                                if path.suffix == ".py"), ["bot.py", "helper.py"])
