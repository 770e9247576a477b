# Is ended by SIGSEGV in place of a handshake: loses by startup.
from bot import *

run(ugi=lambda words: die(signal.SIGSEGV))
