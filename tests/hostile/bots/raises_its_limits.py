# Enlarges its pipes to the maximum, and makes all its descriptors nonblocking: plays on.
import fcntl

from bot import *

for stream in range(3):
    fcntl.fcntl(stream, 1031, 1 << 20)  # F_SETPIPE_SZ
    os.set_blocking(stream, False)
os.set_blocking(0, True)
run()
