# Lets short-lived children take its core from it: loses by startup.
# Their CPU time is counted nowhere but in its control group, so that the machine seems too busy.
import os
import signal
import time

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if os.fork() == 0:
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            pass
        os._exit(0)
