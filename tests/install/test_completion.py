"""Completions, asked for as a shell asks."""
from packages import *

SHARE = ROOT / "usr" / "share"


class Completion(PackageTest):
    def offered(self, *words):
        """What bash offers for the last of `words`, which it has split at '='."""
        script = SHARE / "bash-completion" / "completions" / words[0]
        quoted = " ".join(f"'{word}'" for word in words)
        program = (f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
                   f"_{words[0].replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        run = subprocess.run(["bash", "-c", program], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout.split()

    def test_bash_offers_commands(self):
        self.assertEqual(self.offered("nim-arena", "mat"), ["match"])
        self.assertEqual(self.offered("nim-arena", "he"), ["help"])
        self.assertEqual(self.offered("nim-arena", "help", "tour"), ["tournament"])
        self.assertEqual(self.offered("nim-engine", "ev"), ["eval"])

    def test_bash_offers_options_of_the_command(self):
        self.assertEqual(self.offered("nim-arena", "match", "a", "--movet"), ["--movetime"])
        self.assertEqual(self.offered("nim-arena", "check", "--movet"), ["--movetime"])
        self.assertEqual(self.offered("nim-arena", "doctor", "--movet"), [])
        self.assertEqual(self.offered("nim-arena", "match", "--no-"), ["--no-quiet", "--no-strict"])
        self.assertEqual(self.offered("nim-arena", "--ver"), ["--version"])
        self.assertEqual(self.offered("nim-engine", "period", "--cert"), ["--certificate"])
        self.assertEqual(self.offered("nim-engine", "--li"), ["--listen"])

    def test_bash_offers_values(self):
        for words in (["--color", "a"], ["--color", "=", "a"]):
            self.assertEqual(self.offered("nim-arena", "match", *words), ["auto", "always"])
        self.assertEqual(self.offered("nim-arena", "match", "--color", "="),
                         ["auto", "always", "never"])
        self.assertEqual(self.offered("nim-arena", "match", "--faults", "s"), ["strikes="])
        self.assertEqual(self.offered("nim-arena", "tournament", "--format", "s"), ["swiss"])
        self.assertEqual(self.offered("nim-arena", "export", "r.db", "--format", "=", "gr"), ["grades"])
        self.assertEqual(self.offered("nim-engine", "line", "--losing", "t"), ["trap"])
        # No words, so that bash offers files.
        self.assertEqual(self.offered("nim-arena", "match", "--record", "x"), [])

    def check_syntax(self, shell, folder):
        self.needs(shell)
        for script in (SHARE / folder).iterdir():
            run = subprocess.run([shell, "-n", script], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""), script)

    def test_zsh_reads_it(self):
        for folder in ("zsh/vendor-completions", "zsh/site-functions"):
            if (SHARE / folder).exists():
                self.check_syntax("zsh", folder)

    def test_fish_offers_options_and_values(self):
        self.needs("fish")
        script = SHARE / "fish" / "vendor_completions.d" / "nim-arena.fish"
        for line, offered in (("nim-arena mat", ["match"]),
                              ("nim-arena help mat", ["match"]),
                              ("nim-arena match --movet", ["--movetime"]),
                              ("nim-arena match --color n", ["never"])):
            run = subprocess.run(["fish", "--no-config", "-c",
                                  f"source {script}; complete -C '{line}'"],
                                 capture_output=True, text=True)
            self.assertEqual(run.stderr, "")
            self.assertEqual([found.split("\t")[0] for found in run.stdout.splitlines()], offered)
