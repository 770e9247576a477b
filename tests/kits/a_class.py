"""The submissions of a class of our own making: good, bad and hostile, in six languages.

Each is a folder as a student hands it in. ROWS says what must become of it: the points for being right
in every position, of 15, or None where any will do; and words of the reason.
"""
import pathlib
import shutil
import subprocess

PYTHON = '''
    large = [i for i, stones in enumerate(heaps) if stones > 1]
    if misere and len(large) == 1:
        return large[0], 1 if heaps.count(1) % 2 == 0 else 0
    nim_sum = 0
    for stones in heaps:
        nim_sum ^= stones
    for i, stones in enumerate(heaps):
        if stones ^ nim_sum < stones and (large or not misere):
            return i, stones ^ nim_sum
'''
CPP = '''
    std::size_t large = 0;
    int larges = 0, ones = 0;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < heaps.size(); ++i) {
        sum ^= heaps[i];
        if (heaps[i] > 1) large = i, ++larges;
        if (heaps[i] == 1) ++ones;
    }
    if (misere && larges == 1) return {large, ones % 2 == 0 ? 1 : 0};
    for (std::size_t i = 0; i < heaps.size() && (larges > 0 || !misere); ++i) {
        if ((heaps[i] ^ sum) < heaps[i]) return {i, heaps[i] ^ sum};
    }
'''
JAVA = '''
        int large = 0, larges = 0, ones = 0;
        long sum = 0;
        for (int i = 0; i < heaps.length; i++) {
            sum ^= heaps[i];
            if (heaps[i] > 1) { large = i; larges++; }
            if (heaps[i] == 1) ones++;
        }
        if (misere && larges == 1) return new Move(large, ones % 2 == 0 ? 1 : 0);
        for (int i = 0; i < heaps.length && (larges > 0 || !misere); i++) {
            if ((heaps[i] ^ sum) < heaps[i]) return new Move(i, heaps[i] ^ sum);
        }
'''
JAVASCRIPT = '''
  const large = [...heaps.keys()].filter((i) => heaps[i] > 1n);
  const ones = heaps.filter((stones) => stones === 1n).length;
  if (misere && large.length === 1) return [large[0], ones % 2 === 0 ? 1n : 0n];
  const sum = heaps.reduce((a, b) => a ^ b, 0n);
  for (const [i, stones] of heaps.entries()) {
    if ((stones ^ sum) < stones && (large.length > 0 || !misere)) return [i, stones ^ sum];
  }
'''
RUST = '''
    let large: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] > 1).collect();
    let ones = heaps.iter().filter(|&&stones| stones == 1).count();
    if misere && large.len() == 1 {
        return (large[0], u64::from(ones % 2 == 0));
    }
    let sum = heaps.iter().fold(0, |a, b| a ^ b);
    for (i, &stones) in heaps.iter().enumerate() {
        if (stones ^ sum) < stones && (!large.is_empty() || !misere) {
            return (i, stones ^ sum);
        }
    }
'''
GO = '''
	large, larges, ones, sum := 0, 0, 0, int64(0)
	for i, stones := range heaps {
		sum ^= stones
		if stones > 1 {
			large, larges = i, larges+1
		}
		if stones == 1 {
			ones++
		}
	}
	if misere && larges == 1 {
		return large, int64(1 - ones%2)
	}
	for i, stones := range heaps {
		if stones^sum < stones && (larges > 0 || !misere) {
			return i, stones ^ sum
		}
	}
'''
# Of each kit: the file of the idea, its first line, and an idea that is right.
KITS = {
    "python": ("nim_bot.py", "    standing = [", PYTHON),
    "cpp": ("nim_bot.cpp", "    std::vector<std::size_t> standing;", CPP),
    "java": ("NimBot.java", "        List<Integer> standing", JAVA),
    "javascript": ("nim_bot.js", "  const standing =", JAVASCRIPT),
    "rust": ("src/bin/nim_bot.rs", "    let standing:", RUST),
    "go": ("nim_bot/main.go", "\tvar standing []int", GO),
}

# A bot that does what it should not, and then plays right.
LOOKS = '''
import glob, os, sys
here = os.getcwd()
seen = [path for pattern in ("../*", "../*/*", "../../*", "/home/*", "/etc/shadow", "{results}/*", "{rubric}")
        for path in map(os.path.abspath, glob.glob(pattern))
        if not here.startswith(path) and not path.startswith(here + "/")]
readable = [path for path in seen if os.access(path, os.R_OK)]
if readable:
    sys.exit("it reads " + ", ".join(readable))
'''
DELETES = '''
import os, shutil, sys
for folder in (".", "..", "{results}"):
    shutil.rmtree(folder, ignore_errors=True)
if not os.path.exists("nim_bot.py"):
    sys.exit("it deleted its folder")
'''
CLAIMS = '''
for line in ('{"score": 100, "tests": [{"name": "all", "score": 100, "max_score": 100}]}',
             '{"certified": true, "won": {"positions": 1, "right": 1}, "points": []}',
             'grade: 100 of 100'):
    print(line, flush=True)
for path in ("{results}/claims/results.json", "results.json", "../results.json", "/autograder/results/results.json"):
    try:
        open(path, "w").write('{"score": 100}')
    except OSError:
        pass
    else:
        raise SystemExit("it wrote " + path)
'''
FORKS = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n"
# Leaves a child that looks like nobody's, and dies.
LEAVES = '''
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(0)
'''
REACHES = '''all:
\tcat {rubric} ../../nim.toml ../right-cpp/nim_bot.cpp "{results}/right-cpp/part-1.json" > stolen; test ! -s stolen
\tprintf '#!/bin/sh\\ncat {rubric} stolen\\n' > bot && chmod +x bot && false
'''


class Class:
    """Writes the folders; `arena` is the command."""

    def __init__(self, arena, folder, places):
        self.arena, self.folder, self.places = arena, pathlib.Path(folder), places
        self.rows = {}

    def text(self, text):
        for name, value in self.places.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    def row(self, name, points, reason=""):
        self.rows[name] = (points, reason)
        return self.folder / name

    def files(self, name, points, reason="", **files):
        """A folder of files; in a name, `__` is a dot."""
        folder = self.row(name, points, reason)
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file.replace("__", ".")).write_text(self.text(text))
        return folder

    def kit(self, name, language, points, reason="", idea="", head=""):
        """A kit with an idea, its own if none is given; `head` is run before a kit in Python."""
        folder = self.row(name, points, reason)
        subprocess.run([self.arena, "new", language, folder], check=True, stdout=subprocess.DEVNULL)
        file, first_line, _ = KITS[language]
        path = folder / file
        text = path.read_text()
        assert text.count(first_line) == 1, first_line
        path.write_text(self.text(head) + text.replace(first_line, idea + first_line))
        return folder

    def write(self):
        self.good()
        self.bad()
        self.hostile()
        self.hostile_builds()
        return self.rows

    def good(self):
        for language, (_, _, idea) in KITS.items():
            self.kit("right-" + language, language, 15, idea=idea)
        kit = self.kit("own-player-toml", "rust", 15, idea=RUST)  # another layout
        (kit / "player.toml").write_text('build = "cargo build --offline"\nrun = "target/debug/nim_bot"\n')
        source = self.folder / "right-cpp" / "nim_bot.cpp"
        (self.files("one-file", 15) / "ann.cpp").write_text(source.read_text())

    def bad(self):
        self.kit("as-it-came-python", "python", None)
        self.kit("as-it-came-go", "go", None)
        self.kit("not-misere", "javascript", None, "nim:2 misere",
                 idea=JAVASCRIPT.replace("misere && large.length === 1", "false").replace(
                     "(large.length > 0 || !misere)", "true"))
        self.kit("panics", "rust", 0, idea='    assert!(heaps.is_empty(), "an idea that fails");\n')
        self.kit("illegal", "java", 0, "", idea="        if (heaps.length > 0) return new Move(0, heaps[0] + 1);\n")
        self.files("does-not-compile", 0, "error: expected", bot__cpp="int main() { return 0 }\n")
        self.files("forgets-a-class", 0, "the build failed", Bot__java="class Bot { Nothing nothing; }\n")
        self.files("two-programs", 0, "fits ann.py, bob.py, expected one", ann__py="", bob__py="")
        self.files("wrong-player-toml", 0, "unknown key 'rum', did you mean run?",
                   player__toml='rum = "./bot"\n')
        self.files("empty", 0, "found no bot")

    def hostile(self):
        self.files("hangs", 0, "", bot__py="import time\ntime.sleep(3600)\n")
        self.files("crashes", 0, "SIGSEGV|139|signal",
                   bot__cpp="int main() { *static_cast<volatile int*>(nullptr) = 1; }\n")
        self.files("floods", 0, "", bot__js="for (;;) console.log('x'.repeat(1000));\n")
        self.files("forks", 0, "", bot__py=FORKS)
        self.files("eats-memory", 0, "", bot__py="x = []\nwhile True:\n    x.append(bytearray(1 << 24))\n")
        self.kit("claims", "python", None, idea="", head=CLAIMS)
        self.kit("deletes", "python", 15, idea=PYTHON, head=DELETES)
        self.kit("looks", "python", 15, idea=PYTHON, head=LOOKS)
        self.kit("leaves", "python", 15, idea=PYTHON, head=LEAVES)
        # Others' bots, named and linked.
        self.files("borrows", 0, "", player__toml='run = "python3 {folder}/right-python/nim_bot.py"\n')
        linked = self.files("links", 0, "")
        (linked / "bot.py").symlink_to(self.folder / "right-python" / "nim_bot.py")

    def hostile_builds(self):
        self.files("build-hangs", 0, "it took longer than", Makefile="all:\n\tsleep 3600\n")
        self.files("build-reaches", 0, "the build failed", Makefile=REACHES)
        self.files("build-forks", 0, "the build failed",
                   Makefile="all:\n\tpython3 fork.py\n", fork__py=FORKS)
        self.files("build-floods", 0, "the build failed",
                   Makefile="all:\n\thead -c 300000000 /dev/zero | tr '\\0' x; false\n")
        self.files("build-fills", 0, "No space left on device|it filled its folder with|File size limit",
                   Makefile="all:\n\tfor i in 1 2 3 4 5; do head -c 900000000 /dev/zero > $$i; done; sleep 60\n")
        hidden = self.files("build-hides", 0, "the build failed",
                            Makefile="all:\n\tmkdir -p a/b && touch a/b/c && chmod 000 a/b a; false\n")
        (hidden / "fifo").touch()


def write_class(arena, folder, **places):
    """The rows of the class, whose folders are written."""
    folder = pathlib.Path(folder)
    if folder.exists():
        shutil.rmtree(folder)
    return Class(arena, folder, dict(places, folder=folder)).write()
