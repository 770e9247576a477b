# Stops itself as by Ctrl-Z: loses by timeout.
import signal

from bot import *

run(go=lambda words: os.kill(os.getpid(), signal.SIGSTOP))
