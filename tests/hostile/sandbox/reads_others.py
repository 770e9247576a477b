# Reads the files and the environment of others: plays on.
import glob

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
    paths = inside.read("targets").splitlines() + ["/etc/shadow", "/root", "/home", "/proc/1/root/etc/shadow"]
    for path in paths:
        if os.path.exists(path):
            inside.tell("saw", path)
    tried = 0
    for pattern in ["/proc/*/environ", "/proc/*/cmdline", "/proc/*/root/tmp/*", "/tmp/**",
                    "/proc/*/fd/*", "/proc/*/cwd/**"] + [path + "/**" for path in paths]:
        for path in glob.glob(pattern, recursive=True):
            tried += 1
            if os.path.isfile(path) and not os.path.samefile(path, own) and holds_secret(path):
                inside.tell("read", path)
    inside.tell("processes", *sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))
    inside.tell("tried", tried)
    play(words)


run(go=go)
