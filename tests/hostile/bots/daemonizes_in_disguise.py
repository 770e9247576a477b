# Leaves a daemon behind that tells nobody where it comes from: plays on.
from bot import *

if daemonize():
    os.closerange(0, 100)
    os.execve("/bin/sleep", ["sleep", "1000"], {})
run()
