"""Submissions that attack the grader: each gets a verdict, and a good one among them its points."""
import csv
import io
import socket
import stat
import tarfile
import zipfile

from hostile import *
from test_sandbox import PYTHON, why_not

RIGHT = (pathlib.Path(__file__).resolve().parents[1] / "e2e" / "bots" / "half_solutions.py").read_text()
SECRET = "NIMARENA-SECRET"
# A bot that gives no answers where a link of its folder leads out.
READER = ("import sys\nfor name in ('-c', 'rubric', 'folder/bot.py', 'sh'):\n"
          "    try: sys.exit(open(name).read(99))\n    except OSError: pass\n") + RIGHT
RUBRIC = f'''
# {SECRET}
name = "Nim"
run = "{PYTHON} -B bot.py right"
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
        if reason := why_not():
            self.skipTest("NOTHING IS TRIED: " + reason)
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
            (folder / "player.toml").write_text(f'build = "sh build.sh"\nrun = "{PYTHON} -B bot.py right"\n')
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
        run = self.arena("grade", self.rubric, *sorted(self.class_.iterdir()), "--results", self.results)
        self.assertEqual(run.status, 0, run.report())
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

    def test_modes(self):
        self.submit("setuid", "cp /bin/sh shell; chmod 4755 shell; mkdir d; chmod 2777 d; chmod 000 build.sh")
        self.submit("closed", "mkdir d; chmod 000 d").chmod(0o2777)
        self.grade(setuid=1, closed=1)
        self.assertEqual(stat.S_IMODE((self.results / "setuid" / "build" / "shell").stat().st_mode), 0o755)

    def test_what_fills_a_disk(self):
        self.submit("large", "for i in 1 2 3 4 5 6 7; do fallocate -l 1G f$i || exit; done")
        self.submit("sparse", "truncate -s 1G a; ln a b; ln a c")
        self.submit("large_after_all", "head -c 300M /dev/zero >f")
        self.submit("many", "seq 1 20100 | xargs touch")
        self.submit("deep", f"exec {PYTHON} -c 'import os\nfor i in range(200): os.mkdir(\"d\"); os.chdir(\"d\")'")
        self.submit("words", "echo No space left on device; exit 1")
        self.grade(large="No space left on device", sparse="it leaves more than 256 MiB",
                   large_after_all="it leaves more than 256 MiB", many="it leaves more than 20000 files",
                   deep="it leaves folders more than 100 deep", words="the build failed")
        for name in ("large", "sparse", "large_after_all", "many", "deep", "words"):
            self.assertFalse((self.results / name / "build").exists())

    def test_pipes_and_sockets(self):
        os.mkfifo(self.submit("pipe") / "way-out")
        place = self.submit("unix") / "way-out"
        with socket.socket(socket.AF_UNIX) as unix:
            unix.bind(str(place))
        self.submit("built", "mkfifo way-out")
        self.grade(pipe="the folder has a pipe: way-out",
                   unix="the folder has a socket: way-out",
                   built="it leaves a pipe: way-out")

    def test_links_out(self):
        """By bots, as they are handed in and as they are built."""
        self.submit("other", bot=f"# {SECRET}\n" + RIGHT)
        links = {"-c": "../other/bot.py", "rubric": str(self.rubric), "folder": "../other", "sh": "/etc/passwd",
                 "own": "bot.py", "up": "x/../../other", "x/up": "../bot.py"}
        plain = self.submit("plain", bot=READER)
        (plain / "x").mkdir()
        for name, target in links.items():
            (plain / name).symlink_to(target)
        making = "".join(f"ln -s {target} ./{name}\n" for name, target in links.items())
        self.submit("makes", "mkdir x\n" + making + f"cat ./-c rubric folder/bot.py; true",
                    bot=READER)
        self.grade(other=1, plain=1, makes=1)
        for name in ("plain", "makes"):
            self.assertEqual([file for file in self.built(name) if (self.results / name / "build" / file).is_symlink()],
                             ["own", "x/up"])
            for path in (self.results / name).rglob("*"):
                if path.is_file():
                    self.assertNotIn(SECRET.encode(), path.read_bytes(), path)

    def test_a_program_that_is_a_link_out(self):
        folder = self.submit("link")
        (folder / "bot.py").unlink()
        (folder / "bot.py").symlink_to("../good/bot.py")
        (self.class_ / "whole").symlink_to("good")
        (self.class_ / "nowhere").symlink_to("nobody")
        (self.class_ / "loop").symlink_to("loop")
        self.grade(link="No such file or directory", whole="it is a link, expected a folder",
                   nowhere="it is a link, expected a folder",
                   loop="it is a link, expected a folder")

    def test_forged_archives(self):
        lines = {"up": 'add("../../evil", size=1)',
                 "absolute": f'add("{self.folder}/evil", size=1)',
                 "device": 'add("null", type=tarfile.CHRTYPE, devmajor=1, devminor=3)',
                 "hard": 'add("hard", type=tarfile.LNKTYPE, linkname="../../seed.txt")',
                 "through": 'add("d", type=tarfile.DIRTYPE, mode=0o755); '
                            'add("l", type=tarfile.SYMTYPE, linkname="d"); add("l/evil", size=1)',
                 "huge": 'entry = tarfile.TarInfo("huge"); entry.size = 2**40; archive.addfile(entry)',
                 "garbage": 'archive.fileobj.write(os.urandom(100000))'}
        for name, line in lines.items():
            self.submit_forged(name, line)
        outside = "it leaves a path that leads out of it"
        self.grade(up=outside, absolute=outside, device="it leaves a device: null",
                   hard="it leaves a hard link: hard",
                   through="it leaves what cannot be written: l/evil", huge="it leaves more than 256 MiB", garbage="it leaves what is no archive")
        self.assertEqual([path for path in self.folder.rglob("evil")], [])

    def test_archives_that_lead_out(self):
        def link(name, target, type=tarfile.SYMTYPE):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = type, target
            return entry, b""

        def file(name, text=RIGHT.encode()):
            return tarfile.TarInfo(name), text
        special = tarfile.TarInfo("null")
        special.type, special.devmajor, special.devminor = tarfile.CHRTYPE, 1, 3
        pipe = tarfile.TarInfo("pipe")
        pipe.type = tarfile.FIFOTYPE
        self.pack("up.tar.gz", [file("bot.py"), file("../../evil")])
        self.pack("absolute.tgz", [file("bot.py"), file(f"{self.folder}/evil")])
        self.pack("through.tar", [file("bot.py"), link("d", "."), file("d/evil")], "w")
        self.pack("hard.tar.gz", [file("bot.py"), link("hard", "../../seed.txt", tarfile.LNKTYPE)])
        self.pack("device.tar.gz", [file("bot.py"), (special, b"")])
        self.pack("pipe.tar.gz", [file("bot.py"), (pipe, b"")])
        self.submit("other", bot=f"# {SECRET}\n" + RIGHT)
        links = {"-c": "../../../class/other/bot.py", "rubric": str(self.rubric),
                 "folder": "../../../class/other", "own": "bot.py"}
        self.pack("links.tar.gz", [file("bot.py", READER.encode()), *(link(*names) for names in links.items())])
        entries = [("bot.py", READER)]
        for name, target in links.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            entries.append((entry, target))
        self.pack("zip_links.zip", entries)
        slashes = zipfile.ZipInfo("x")
        slashes.filename = "../../evil"
        self.pack("zip_up.zip", [("bot.py", RIGHT), (slashes, "x")])
        outside = "has a path that leads out of it: "
        self.grade(up="up.tar.gz " + outside, absolute=outside, through="has what cannot be written: d/evil",
                   hard="has a hard link: hard",
                   device="has a device: null", pipe="has a pipe: pipe", links=1, other=1, zip_links=1, zip_up=outside)
        self.assertEqual([path for path in self.folder.rglob("evil")], [])
        for name in ("links", "zip_links"):
            self.assertEqual(self.built(name), ["bot.py", "own"])

    def test_archives_that_are_bombs(self):
        zeros = b"\0" * (1 << 20)
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
            archive.writestr("0", zeros)
            info = archive.infolist()[0]
            for number in range(1, 1000):
                copied = zipfile.ZipInfo(str(number))
                for key in ("compress_type", "CRC", "compress_size", "file_size", "header_offset"):
                    setattr(copied, key, getattr(info, key))
                archive.filelist.append(copied)
        self.pack("many.tar.gz", [(tarfile.TarInfo(str(number)), b"") for number in range(20_100)])
        self.pack("deep.tar.gz", [(tarfile.TarInfo("d/" * 101 + "f"), b"")])
        self.pack("long.tar.gz", [(tarfile.TarInfo("d" * 200 + "/" + "e" * 900), b"")])
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("zeros", zeros)
        self.pack("nested.zip", [(f"{number}.zip", inner.getvalue()) for number in range(10)])
        self.grade(large="large.tar.xz has more than 16 MiB (an archive may hold", overlaps="No such file",
                   many="has more than 20000 files", deep="has folders more than 100 deep",
                   long="has paths of more than 1000 bytes", nested="No such file")
        for name in ("large", "many", "deep", "long"):
            self.assertFalse((self.results / name / "handed-in").exists())
        for name, files in (("overlaps", 1), ("nested", 10)):
            self.assertEqual(len(list((self.results / name / "handed-in").iterdir())), files)

    def test_archives_that_are_none(self):
        self.class_.mkdir(exist_ok=True)
        self.pack("odd.zip", [("bot.py", RIGHT), ("m\u00fcller.txt", "x"), (b"\xff".decode("cp437"), "x")])
        whole = (self.class_ / "odd.zip").read_bytes()
        (self.class_ / "cut.zip").write_bytes(whole[:len(whole) // 2])
        (self.class_ / "empty.zip").write_bytes(b"")
        (self.class_ / "noise.tar.gz").write_bytes(os.urandom(100_000))
        encrypted = bytearray(whole)
        for signature, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            encrypted[whole.index(signature) + at] |= 1
        (self.class_ / "secret.zip").write_bytes(encrypted)
        os.mkfifo(self.class_ / "pipe.zip")
        (self.class_ / "link.zip").symlink_to(self.rubric)
        self.grade(odd=1, cut="cut.zip cannot be read: ", empty="empty.zip cannot be read: Unrecognized archive format",
                   noise="noise.tar.gz cannot be read: ", secret="secret.zip cannot be read: bot.py: it is encrypted",
                   pipe="pipe.zip: expected a file, found a link", link="it is a link, expected a folder or an archive")

    def test_a_stream_without_end(self):
        self.submit_forged("endless", 'while True: add("same", size=1 << 20)')
        self.grade(endless="it leaves more than 256 MiB")

    def test_a_build_without_end(self):
        self.rubric.write_text(RUBRIC.replace("build_time = 200", "build_time = 2"))
        self.submit("never", "sleep 1000 & sleep 1000")
        self.grade(never="it took longer than 2 s")

    def test_a_program_does_not_play_for_its_source(self):
        """Handed in with a Makefile that has nothing to do."""
        folder = self.submit("old")
        (folder / "bot.py").rename(folder / "source.py")
        (folder / "Makefile").write_text(f"bot: source.py\n\tprintf '#!{PYTHON} -B\\n' >bot\n"
                                         "\tcat source.py | sed 's/sys.argv\\[1\\]/\"right\"/' >>bot\n\tchmod +x bot\n")
        (folder / "bot").write_text("#!/bin/sh\nexit 1\n")
        (folder / "bot").chmod(0o755)
        os.utime(folder / "source.py", (1, 1))
        self.rubric.write_text(RUBRIC.replace(f'run = "{PYTHON} -B bot.py right"\n', ""))
        (self.class_ / "good" / "player.toml").write_text(f'run = "{PYTHON} -B bot.py right"\n')
        self.grade(old=1)

    def test_a_command_that_grows_by_quoting(self):
        """On the command lines of the arena itself each quote is quoted again, and again."""
        start = f"{PYTHON} -B bot.py right "
        for name, size in (("most", 4096), ("more", 4097)):
            run = (start + "\\'" * ((4096 - len(start)) // 2)).ljust(size)
            (self.submit(name) / "player.toml").write_text(f'run = """{run}"""\n'.replace("\\", "\\\\"))
        self.grade(most=1, more="run: read 4097 bytes, expected 4096 at most")

    def test_names(self):
        for name in ("seed.txt.d", "new\nline", "$(touch x)", "-rf", "a'b\"c\\d"):
            self.submit(name, "true")

        run = self.arena("grade", self.rubric, *sorted(self.class_.iterdir()), "--results", self.results)
        self.assertEqual(run.status, 0, run.report())
        with open(self.results / "grades.csv", newline="") as file:
            points = [row["total"] for row in csv.DictReader(file)]
        self.assertEqual(points, ["1"] * 6, run.report())


if __name__ == "__main__":
    unittest.main()
