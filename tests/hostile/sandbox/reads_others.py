# Reads the files and the environment of others: plays on.
import glob
import tempfile

import inside
from bot import *

SECRET = b"NIMARENA-SECRET"  # what each file that it looks for holds; not in this bot's own


def holds_secret(path):
    try:
        with open(path, "rb") as file:
            return SECRET in file.read(1 << 20)
    except OSError:
        return False


def go(words):
    own = os.path.abspath(__file__)
    paths = inside.read("targets").splitlines()
    for path in paths:
        if os.path.exists(path):
            inside.tell("saw", path)
    tried = 0
    shown = ["environ", "cmdline", "fd/*", "cwd/**", "root" + tempfile.gettempdir() + "/*"]
    folders = [tempfile.gettempdir()] + paths
    for pattern in ["/proc/*/" + what for what in shown] + [path + "/**" for path in folders]:
        for path in glob.glob(pattern, recursive=True):
            tried += 1
            if os.path.isfile(path) and not os.path.samefile(path, own) and holds_secret(path):
                inside.tell("read", path)
    inside.tell("processes", *sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))
    inside.tell("tried", tried)
    play(words)


run(go=go)
