# Writes files without end wherever it may: plays on.
import inside
from bot import *

PLACES = ["/", "/tmp", os.environ["HOME"], "/dev", "/dev/shm", "/usr", "/var/tmp", "/run",
          os.path.dirname(os.path.abspath(__file__)), os.getcwd(), "/proc", "/sys/fs/cgroup"]
MOST = 64 << 20  # that it tries to write in one place


def fill(place):
    """The bytes that it could write there."""
    written = 0
    try:
        with open(os.path.join(place, "filled"), "wb", buffering=0) as file:
            while written < MOST:
                written += file.write(bytes(1 << 20))
    except OSError:
        pass
    return written


def go(words):
    for place in PLACES:
        inside.tell("filled", place, fill(place))
    play(words)


run(go=go)
