# A child, a daemon, a shell with its own; then it says so on the FIFO ARGUMENT: plays on.
import signal

from bot import *


def at_ugi(words):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        hold_still()
    if daemonize():
        os.closerange(0, 100)
        hold_still()
    os.system("sleep 1000 & sleep 1000 &")
    tell_fifo()
    introduce()


run(ugi=at_ugi)
