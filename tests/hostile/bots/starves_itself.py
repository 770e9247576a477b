# Lets short-lived children take its core from it: loses by startup.
# Their CPU time is counted nowhere but in its control group, so that the machine seems too busy.
import os
import signal
import time

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.write(1, b"id name Bad\n")  # the arena does not try to find out why it is silent
while True:
    if os.fork() == 0:
        end = time.monotonic() + 0.1
        while time.monotonic() < end:
            pass
        os._exit(0)
