# Does not end at `quit`, nor at SIGTERM: plays on.
from bot import *

signal.signal(signal.SIGTERM, signal.SIG_IGN)
run(quit=lambda words: hold_still())
