# Starts children that leave its session, pin themselves to each core and compute: plays on.
import mmap
import struct
import time

from bot import *

CHILDREN = int(ARGUMENT or 8)
SLOT = struct.calcsize("d")


class Burners:
    """Orphaned children. Each writes the CPU time that it has used into a file that
    all of them share, so that the bot can tell what they used while it was not asked."""

    def __init__(self):
        with open(os.path.join(os.environ.get("TMPDIR", "/tmp"), f"burnt-{os.getpid()}"), "w+b") as file:
            os.unlink(file.name)
            file.truncate(CHILDREN * SLOT)
            self.times = mmap.mmap(file.fileno(), CHILDREN * SLOT)
        for child in range(CHILDREN):
            if daemonize():
                self.burn(child)
            os.wait()  # the first child, which has left it the second

    def burn(self, child):
        try:
            os.sched_setaffinity(0, {child % os.cpu_count()})
        except OSError:
            pass
        while True:
            for _ in range(1000):
                pass
            struct.pack_into("d", self.times, child * SLOT, time.process_time())

    def total(self):
        return sum(struct.unpack_from(f"{CHILDREN}d", self.times))


burners, since = None, 0.0


def go(words):
    """Reports on stderr what they used since the last answer."""
    global burners, since
    if burners is None:
        burners = Burners()
    else:
        write(f"off-turn {burners.total() - since:.6f}\n", 2)
    since = burners.total()
    play(words)


def tell_start(words):
    global since
    if burners is not None:
        write(f"between {burners.total() - since:.6f}\n", 2)
        since = burners.total()


run(go=go, uginewgame=tell_start)
