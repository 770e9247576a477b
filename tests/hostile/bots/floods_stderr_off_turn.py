# Writes to stderr all the time, in its turn or not: plays on.
import threading

from bot import *


def flood():
    while True:
        write(b"grumble " * (1 << 13), to=2)


threading.Thread(target=flood, daemon=True).start()
run()
