# Does not end at `quit`, nor at SIGTERM: plays on.
import signal

from bot import *

signal.signal(signal.SIGTERM, signal.SIG_IGN)
run(quit=lambda words: hold_still())
