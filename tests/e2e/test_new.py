"""nim-arena new: writes the kits of bots/, and says what to do next. tests/kits builds and plays them."""
import resource

from arena import *

CONNECT = {"connect.py": (ROOT / "bots" / "connect.py").read_bytes()}  # in each kit
LANGUAGES = ("python", "cpp", "java", "javascript", "rust", "go")
BUILT = {"__pycache__", "target", "classes", "bin", "build", "Cargo.lock"}  # where kits are built


def files_of(folder):
    """The text of each file, by its path in the folder."""
    texts = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and not BUILT & set(name.parts):
            text = path.read_bytes()
            if not text.startswith(b"\x7fELF"):
                texts[str(name)] = text
    return texts


class New(ArenaTest):
    def new(self, *arguments):
        run = self.arena("new", *arguments)
        self.assertEqual((run.status, run.report()), (0, ""))
        return run.out.decode()

    def refused(self, status, words, *arguments):
        run = self.arena("new", *arguments)
        self.assertEqual((run.status, run.out), (status, b""))
        self.assertIn(words, run.report())

    def test_lists_the_languages(self):
        lines = self.new().splitlines()
        self.assertEqual([line.split()[0] for line in lines[:6]], list(LANGUAGES))
        self.assertIn("  go          Go 1.19 or later", lines)
        self.assertEqual(lines[-1], "next: nim-arena new python my-bot")

    def test_writes_the_files_of_the_source_tree(self):
        others = (("C++", "cpp"), ("js", "javascript"), ("Python", "python"))
        for word, language in [*zip(LANGUAGES, LANGUAGES), *others]:
            folder = self.folder / word
            self.new(word, folder)
            files = files_of(folder)
            self.assertEqual(files, files_of(ROOT / "bots" / language) | CONNECT)
            self.assertIn("README.md", files)
            for name, text in files.items():
                can_run = bool((folder / name).stat().st_mode & 0o100)
                self.assertEqual(can_run, text.startswith(b"#!"), name)

    def test_makes_the_folder_or_takes_an_empty_one(self):
        deep = self.folder / "a" / "b" / "c"
        self.new("python", deep)
        self.assertTrue((deep / "nim_bot.py").is_file())
        empty = self.folder / "empty"
        empty.mkdir()
        self.new("go", f"{empty}/")
        self.assertTrue((empty / "go.mod").is_file())

    def test_prints_commands_that_work(self):
        folder = self.folder / "it's my kit"
        out = self.new("python", folder)
        self.assertIn(f"your idea goes into {folder}/nim_bot.py\n", out)
        lines = out.split("next:\n")[1].splitlines()
        # The kit's bot is not right everywhere: that is left to its author.
        results = ((0, "passed: "), (0, "nim_bot.py "), (8, "the smallest counterexample is nim:"),
                   (0, "nim:"))
        self.assertEqual(len(lines), len(results))
        for line, (status, expected) in zip(lines, results):
            # As pasted into a shell, with no more than that; but a busy machine is no fault of a bot.
            line += " --margin 10000" * (" check " in line)
            run = subprocess.run(["sh", "-c", line], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                 env=self.environment, cwd=self.folder)
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)
            self.assertIn(expected, run.stdout + run.stderr)

    def test_says_how_the_kit_finds_it(self):
        folder = self.folder / "it's my kit"
        export = self.new_out_of_path("python", folder).splitlines()[1].split("find nim-arena in PATH: ")[1]
        self.assertEqual(export, f'export PATH={BIN}:"$PATH"')
        run = subprocess.run(["sh", "-c", f"{export}; command -v nim-arena; make -n check"], capture_output=True,
                             text=True, env=self.environment, cwd=folder)
        self.assertEqual((run.stdout, run.stderr), (f"{ARENA}\nnim-arena check ./nim_bot.py\n", ""))

    def test_a_kit_that_is_not_built_says_so(self):
        folder = self.folder / "it's my kit"
        self.new("java", folder)
        for bot in ("nim_bot", "random_bot"):
            run = subprocess.run([folder / bot], capture_output=True, text=True, env=self.environment)
            self.assertEqual((run.returncode, run.stderr), (1, f"{folder}/{bot}: build it first: make\n"))

    def test_what_an_idea_in_python_must_return(self):
        folder = self.folder / "kit"
        self.new("python", folder)
        bot = folder / "nim_bot.py"
        text = bot.read_text()
        for wrong in ("None", "(0, 1.5)", "'12'", "3", "(0, 1, 2)"):
            bot.write_text(text.replace("    standing = [", f"    return {wrong}\n    standing = [", 1))
            run = subprocess.run([sys.executable, bot], input="position fen nim:3\ngo movetime 10\n",
                                 capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(run.returncode, 1)
            self.assertIn(f"choose_move() returned {wrong}, expected two whole numbers", run.stderr)

    def new_out_of_path(self, *words):
        """As new(), where the shell does not find nim-arena, even if it is installed."""
        path, self.environment["PATH"] = self.environment["PATH"], str(self.folder)
        try:
            return self.new(*words)
        finally:
            self.environment["PATH"] = path

    def test_names_itself_as_the_shell_finds_it(self):
        out = self.new_out_of_path("rust", self.folder / "one")
        self.assertIn(f"  {ARENA} check {self.folder}/one/target/release/nim_bot\n", out)
        self.assertIn(f"  (cd {self.folder}/one && cargo build --release)\n", out)
        self.environment["PATH"] = f"{BIN}:{self.environment['PATH']}"
        out = self.new("rust", self.folder / "two")
        self.assertIn("\n  nim-arena check ", out)
        self.assertNotIn("export", out)

    def test_refuses_a_folder_that_is_not_empty(self):
        (self.folder / "full").mkdir()
        (self.folder / "full" / "notes").write_text("mine")
        self.refused(1, "full' is not empty, expected a new folder or an empty one: give another DIR",
                     "python", self.folder / "full")
        self.assertEqual(files_of(self.folder / "full"), {"notes": b"mine"})
        self.refused(1, "notes': Not a directory", "python", self.folder / "full" / "notes")

    def test_a_run_that_fails_leaves_nothing(self):
        """As on a full disk: a file that is not the first one does not fit."""
        def run(limit, *words):
            limits = resource.RLIMIT_FSIZE, (limit, limit)
            process = self.start(ARENA, *words, preexec_fn=lambda: resource.setrlimit(*limits))
            err = process.communicate(timeout=PATIENCE)[1].decode()
            self.assertEqual(process.returncode, 1, err)
            self.assertIn(": File too large", err)

        folder = self.folder / "folder"
        for limit, *words in ([(8000, "new", language) for language in LANGUAGES] +
                              [(20000, "new", "go"), (2000, "init", "--gradescope"),
                               (1000, "init", "--github-classroom")]):
            run(limit, *words, folder)
            self.assertEqual(list(folder.iterdir()), [], words)
        run(100, "init", self.folder / "spring.toml")
        self.assertEqual(sorted(self.folder.iterdir()), [folder, self.homes])

    def test_refuses_what_it_does_not_know(self):
        folder = self.folder / "new"
        languages = "expected a language: python, cpp, java, javascript, rust, go"
        self.refused(2, f"read 'pyton', {languages}, did you mean 'python'?", "pyton", folder)
        self.refused(2, f"read 'cobol', {languages}\n", "cobol", folder)
        self.refused(2, f"read '', {languages}\n", "", folder)
        self.refused(2, "read no DIR, expected a folder", "python")
        self.refused(2, "read '', expected one LANGUAGE and one DIR", "python", "")
        self.refused(2, "read 'more', expected one LANGUAGE and one DIR", "go", folder, "more")
        self.assertFalse(folder.exists())
