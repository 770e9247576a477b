# Leaves a daemon behind that hides its origin: plays on.
from bot import *

if daemonize():
    os.closerange(0, 100)
    os.execve("/bin/sleep", ["sleep", "1000"], {})
run()
