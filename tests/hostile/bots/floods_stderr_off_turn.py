# Writes to stderr all the time, in its turn or not: plays on.
import threading

from bot import *


threading.Thread(target=repeat, args=(b"grumble " * (1 << 13), 2), daemon=True).start()
run()
