"""Submissions that attack the grader: each gets a verdict, and a good one among them its points."""
import csv
import io
import socket
import stat
import tarfile
import zipfile

from hostile import *
from test_sandbox import PYTHON

RIGHT = (pathlib.Path(__file__).resolve().parents[1] / "e2e" / "bots" / "half_solutions.py").read_text()
SECRET = "NIMARENA-SECRET"
# A bot that gives no answers where a link of its folder leads out.
READER = ("import sys\nfor name in ('-c', 'rubric', 'folder/bot.py', 'sh'):\n"
          "    try: sys.exit(open(name).read(99))\n    except OSError: pass\n") + RIGHT
RUBRIC = f'''
# {SECRET}
name = "Nim"
run = "{PYTHON} -SB bot.py right"
movetime = 10000
build_time = 200
[[part]]
name = "Right"
kind = "certify"
family = "nim;heaps=1;size=0..3"
'''

# An archive on the stream that the build's own would take, which its first process has open.
FORGED = '''
import io, os, tarfile
with tarfile.open(fileobj=open("/proc/1/fd/1", "wb"), mode="w|") as archive:
    def add(name, **keys):
        entry = tarfile.TarInfo(name)
        for key, value in keys.items():
            setattr(entry, key, value)
        archive.addfile(entry, io.BytesIO(b"x" * entry.size))
    %s
'''


class Submissions(HostileTest):
    def setUp(self):
        super().setUp()
        self.need_sandbox()
        self.class_ = self.folder / "class"
        self.results = self.folder / "grades"
        self.rubric = self.folder / "nim.toml"
        self.rubric.write_text(RUBRIC)
        self.submit("good")

    def submit(self, name, build=None, bot=RIGHT):
        folder = self.class_ / name
        folder.mkdir(parents=True)
        (folder / "bot.py").write_text(bot)
        if build is not None:
            (folder / "build.sh").write_text(build)
            (folder / "player.toml").write_text(f'build = "sh build.sh"\nrun = "{PYTHON} -SB bot.py right"\n')
        return folder

    def submit_forged(self, name, line):
        folder = self.submit(name, f"exec {PYTHON} forge.py")
        (folder / "forge.py").write_text(FORGED % line)
        return folder

    def pack(self, name, entries, mode="w:gz"):
        """An archive for a submission: of tarfile's entries, with contents or the text of a link; or of zipfile's."""
        self.class_.mkdir(exist_ok=True)
        if name.endswith(".zip"):
            with zipfile.ZipFile(self.class_ / name, "w", zipfile.ZIP_DEFLATED) as archive:
                for entry, text in entries:
                    archive.writestr(entry, text)
            return
        with tarfile.open(self.class_ / name, mode) as archive:
            for entry, text in entries:
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text))

    def grade(self, **expected):
        """All get what is expected: points, or the reason for none. Nothing harmful is left."""
        self.arena("grade", self.rubric, *sorted(self.class_.iterdir()), "--results", self.results,
                         status=0)
        with open(self.results / "grades.csv", newline="") as file:
            points = {row["student"]: row["total"] for row in csv.DictReader(file)}
        self.assertEqual(points.pop("good"), "1")
        reports = {name: (self.results / name / "report.txt").read_text() for name in points}
        for name, reason in expected.items():
            if reason == 1:
                self.assertEqual(points[name], "1", reports[name])
            else:
                self.assertEqual(points[name], "0", reports[name])
                self.assertIn(reason, reports[name])
        self.assertEqual(set(points), set(expected))
        self.assertEqual(stat.S_IMODE(self.results.stat().st_mode), 0o700)
        for path in self.results.rglob("*"):
            mode = path.lstat().st_mode
            self.assertTrue(stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode), path)
            self.assertFalse(mode & (stat.S_ISUID | stat.S_ISGID), path)
            if stat.S_ISLNK(mode):
                self.assertTrue(path.resolve().is_relative_to(self.results.resolve()), path)
            self.assertFalse(path.name.endswith(".part"), path)
        return reports

    def built(self, name):
        build = self.results / name / "build"
        return sorted(str(path.relative_to(build)) for path in build.rglob("*"))

    def test_what_fills_a_disk(self):
        self.submit("large", "for i in 1 2 3 4 5 6 7; do fallocate -l 1G f$i || exit; done")
        self.submit("sparse", "truncate -s 1G a; ln a b; ln a c")
        self.submit("deep", f"exec {PYTHON} -c 'import os\nfor i in range(200): os.mkdir(\"d\"); os.chdir(\"d\")'")
        self.submit("words", "echo No space left on device; exit 1")
        self.submit_forged("endless", 'while True: add("same", size=1 << 20)')
        self.grade(large="No space left on device", sparse="it leaves more than 256 MiB",
                   deep="it leaves folders more than 100 deep", words="the build failed",
                   endless="it leaves more than 256 MiB")
        for name in ("large", "sparse", "deep", "words", "endless"):
            self.assertFalse((self.results / name / "build").exists())

    def test_what_is_no_file(self):
        """Handed in, made by a build, or written by it as the archive of what it leaves."""
        self.submit("setuid", "cp /bin/sh shell; chmod 4755 shell; mkdir d; chmod 2777 d; chmod 000 build.sh")
        self.submit("closed", "mkdir d; chmod 000 d").chmod(0o2777)
        os.mkfifo(self.submit("pipe") / "way-out")
        place = self.submit("unix") / "way-out"
        with socket.socket(socket.AF_UNIX) as unix:
            unix.bind(str(place))
        self.submit("built", "mkfifo way-out")
        folder = self.submit("link")
        (folder / "bot.py").unlink()
        (folder / "bot.py").symlink_to("../good/bot.py")
        (self.class_ / "whole").symlink_to("good")
        self.submit_forged("up", 'add("../../evil", size=1)')
        self.submit_forged("device", 'add("null", type=tarfile.CHRTYPE, devmajor=1, devminor=3)')
        self.submit_forged("huge", 'entry = tarfile.TarInfo("huge"); entry.size = 2**40; archive.addfile(entry)')
        self.submit_forged("garbage", 'archive.fileobj.write(os.urandom(100000))')
        self.grade(setuid=1, closed=1, pipe="the folder has a pipe: way-out", unix="the folder has a socket: way-out",
                   built="it leaves a pipe: way-out", link="No such file or directory",
                   whole="it is a link, expected a folder", up="it leaves a path that leads out of it",
                   device="it leaves a device: null", huge="it leaves more than 256 MiB",
                   garbage="it leaves what is no archive")
        self.assertEqual(stat.S_IMODE((self.results / "setuid" / "build" / "shell").stat().st_mode), 0o755)
        self.assertEqual([path for path in self.folder.rglob("evil")], [])

    def test_links_out(self):
        """By bots, as they are handed in and as they are built; and by archives."""
        def packed(name, target):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            return entry, b""

        def zipped(name, target):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            return entry, target
        self.submit("other", bot=f"# {SECRET}\n" + RIGHT)
        links = {"-c": "../other/bot.py", "rubric": str(self.rubric), "folder": "../other", "sh": "/etc/passwd",
                 "own": "bot.py", "up": "x/../../other", "x/up": "../bot.py"}
        plain = self.submit("plain", bot=READER)
        (plain / "x").mkdir()
        for name, target in links.items():
            (plain / name).symlink_to(target)
        making = "".join(f"ln -s {target} ./{name}\n" for name, target in links.items())
        self.submit("makes", "mkdir x\n" + making + "cat ./-c rubric folder/bot.py; true",
                    bot=READER)
        links |= {"-c": "../../../class/other/bot.py", "folder": "../../../class/other"}
        self.pack("packed.tar.gz", [(tarfile.TarInfo("bot.py"), READER.encode()),
                                    *(packed(*names) for names in links.items())])
        self.pack("zipped.zip", [("bot.py", READER), *(zipped(*names) for names in links.items())])
        self.grade(other=1, plain=1, makes=1, packed=1, zipped=1)
        for name in ("plain", "makes", "packed", "zipped"):
            self.assertEqual([file for file in self.built(name) if (self.results / name / "build" / file).is_symlink()],
                             ["own", "x/up"])
            for path in (self.results / name).rglob("*"):
                if path.is_file():
                    self.assertNotIn(SECRET.encode(), path.read_bytes(), path)

    def test_archives(self):
        """Those that lead out, are bombs, or are none."""
        self.class_.mkdir(exist_ok=True)
        with tarfile.open(self.class_ / "large.tar.xz", "w:xz", preset=0) as archive:
            entry = tarfile.TarInfo("large")
            entry.size = 17 << 20

            class Zeros:
                def read(self, size):
                    return b"\0" * size
            archive.addfile(entry, Zeros())
        # Each name in the directory is of the same data.
        with zipfile.ZipFile(self.class_ / "overlaps.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("0", b"\0" * (1 << 20))
            info = archive.infolist()[0]
            for number in range(1, 1000):
                copied = zipfile.ZipInfo(str(number))
                for key in ("compress_type", "CRC", "compress_size", "file_size", "header_offset"):
                    setattr(copied, key, getattr(info, key))
                archive.filelist.append(copied)
        self.pack("many.tar.gz", [(tarfile.TarInfo(str(number)), b"") for number in range(20_100)])
        slashes = zipfile.ZipInfo("x")
        slashes.filename = "../../evil"
        self.pack("up.zip", [("bot.py", RIGHT), (slashes, "x")])
        special = tarfile.TarInfo("null")
        special.type, special.devmajor, special.devminor = tarfile.CHRTYPE, 1, 3
        self.pack("device.tar.gz", [(tarfile.TarInfo("bot.py"), RIGHT.encode()), (special, b"")])
        self.pack("odd.zip", [("bot.py", RIGHT), ("m\u00fcller.txt", "x"), (b"\xff".decode("cp437"), "x")])
        os.mkfifo(self.class_ / "pipe.zip")
        (self.class_ / "link.zip").symlink_to(self.rubric)
        self.grade(large="large.tar.xz has more than 16 MiB (an archive may hold", overlaps="No such file",
                   many="has more than 20000 files", up="up.zip has a path that leads out of it: ", device="has a device: null",
                   odd=1, pipe="pipe.zip: expected a file, found a link",
                   link="it is a link, expected a folder or an archive")
        for name in ("large", "many", "up", "device"):
            self.assertFalse((self.results / name / "handed-in").exists(), name)
        self.assertEqual(len(list((self.results / "overlaps" / "handed-in").iterdir())), 1)
        self.assertEqual([path for path in self.folder.rglob("evil")], [])

    def test_a_program_does_not_play_for_its_source(self):
        """Handed in with a Makefile that has nothing to do."""
        folder = self.submit("old")
        (folder / "bot.py").rename(folder / "source.py")
        (folder / "Makefile").write_text(f"bot: source.py\n\tprintf '#!{PYTHON} -SB\\n' >bot\n"
                                         "\tcat source.py | sed 's/sys.argv\\[1\\]/\"right\"/' >>bot\n\tchmod +x bot\n")
        (folder / "bot").write_text("#!/bin/sh\nexit 1\n")
        (folder / "bot").chmod(0o755)
        os.utime(folder / "source.py", (1, 1))
        self.rubric.write_text(RUBRIC.replace(f'run = "{PYTHON} -SB bot.py right"\n', ""))
        (self.class_ / "good" / "player.toml").write_text(f'run = "{PYTHON} -SB bot.py right"\n')
        self.grade(old=1)

    def test_a_command_that_grows_by_quoting(self):
        """On the command lines of the arena itself each quote is quoted again, and again."""
        start = f"{PYTHON} -SB bot.py right "
        for name, size in (("most", 4096), ("more", 4097)):
            run = (start + "\\'" * ((4096 - len(start)) // 2)).ljust(size)
            (self.submit(name) / "player.toml").write_text(f'run = """{run}"""\n'.replace("\\", "\\\\"))
        self.grade(most=1, more="run: read 4097 bytes, expected 4096 at most")

    def test_names(self):
        names = ("seed.txt", "-rf\n$(touch x)", "a'b\"c\\d", "*", "[x]?")
        for name in names:
            self.submit(name, "true")
        run = self.arena("grade", self.rubric, *sorted(self.class_.iterdir()), "--results", self.results,
                         status=0)
        with open(self.results / "grades.csv", newline="") as file:
            points = [row["total"] for row in csv.DictReader(file)]
        self.assertEqual(points, ["1"] * (1 + len(names)), run.report())
