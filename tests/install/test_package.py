"""The packages have all that users need, and it works in an empty system."""
import gzip
import tempfile

from packages import *


class Package(PackageTest):
    def test_programs_run_in_an_empty_root(self):
        for program in PROGRAMS:
            self.assertRegex(self.run_inside(program, "--version"), r"\d+\.\d+\.\d+")
        out = self.run_inside("nim-arena", "match", "nim-engine", "nim-random", "--position",
                              "nim:3,4,5", "--games", "2", "--quiet", "--analysis", "0")
        self.assertRegex(out, r"nim-engine +2 +2 ")

    def test_a_kit_is_written_in_an_empty_root(self):
        out = self.run_inside("nim-arena", "new", "python", "/tmp/bot")
        self.assertIn("\n  nim-arena check /tmp/bot/nim_bot.py\n", out)

    def test_holds_manuals_documents_and_kits(self):
        share = ROOT / "usr" / "share"
        for path in ("doc/nimarena/arena/doc/manual.md", "doc/nimarena/protocol/README.md",
                     "doc/nimarena/copyright", "doc/libnimarena-dev/changelog.gz",
                     "nimarena/bots/python/nim_bot.py", "fish/vendor_completions.d/nim-arena.fish",
                     "nimarena/bots/connect.py", "doc/nimarena/bots/README.md",
                     "doc/nimarena/LICENSE"):
            self.assertTrue((share / path).is_file(), path)
        pages = {path.name for path in (share / "man" / "man1").iterdir()}
        self.assertLessEqual({f"{name}.1.gz" for name in (*PROGRAMS, "nim-arena-match",
                                                          "nim-arena-tournament")}, pages)

    def test_manual_pages_are_formatted_without_a_warning(self):
        self.needs("groff")
        pages = sorted((ROOT / "usr" / "share" / "man" / "man1").iterdir())
        sources = b"".join(gzip.decompress(page.read_bytes()) for page in pages)
        run = subprocess.run(["groff", "-K", "utf8", "-t", "-man", "-ww", "-T", "utf8", "-P", "-cbou",
                              "-rLL=96n", "-rcR=0"], input=sources, capture_output=True)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        for page, text in zip(pages, run.stdout.decode().split("\nNAME\n")[1:], strict=True):
            self.assertRegex(text, rf"(?s)^ +{page.name.removesuffix('.1.gz')} +- +\w.*SYNOPSIS\n +nim-")

    def test_the_page_of_a_command_has_all_its_options(self):
        page = gzip.open(ROOT / "usr/share/man/man1/nim-arena-match.1.gz").read().decode()
        text = page.replace("\\-", "-")
        help_text = self.run_inside("nim-arena", "help", "match", "all")
        options = [word for line in help_text.splitlines() if line.startswith("  ")
                   for word in line.split()[:3] if word.startswith("--")]
        self.assertGreater(len(options), 30)
        for option in options:
            self.assertIn(option, text)

    def test_a_bot_is_built_against_the_library(self):
        with tempfile.TemporaryDirectory() as build:
            source = pathlib.Path(__file__).parent / "consumer"
            cmake = os.environ["CMAKE"]
            for step in (["-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={ROOT}/usr"],
                         ["--build", build]):
                run = subprocess.run([cmake, *step], capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            bot = subprocess.run([f"{build}/last-move"], capture_output=True, text=True,
                                 input="ugi\nposition fen take{1,2}:5\ngo\n")
            self.assertEqual(bot.stdout.splitlines()[0], "id name last-move")
            self.assertEqual(bot.stdout.splitlines()[-1], "bestmove 1=3")

    def test_the_maintainer_is_a_placeholder(self):
        for package in FOLDER.glob("*.deb"):
            run = subprocess.run(["dpkg-deb", "-f", package, "Maintainer"], capture_output=True,
                                 text=True)
            self.assertEqual(run.stdout, "The Nimarena authors <noreply@nimarena.invalid>\n")

    def test_lintian_finds_no_error(self):
        self.needs("lintian")
        # Without formatting each manual page, which a test above does at once, and without spelling,
        # which is no error.
        run = subprocess.run(["lintian", "--allow-root", "--fail-on", "error",
                              "-X", "documentation/manual,binaries/spelling", *FOLDER.glob("*.deb")],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
