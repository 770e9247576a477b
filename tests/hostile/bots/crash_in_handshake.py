# Is ended by SIGSEGV in place of a handshake: loses by startup.
import signal

from bot import *

run(ugi=lambda words: die(signal.SIGSEGV))
