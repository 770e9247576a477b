# Leaves a daemon behind that holds nothing: plays on.
from bot import *


if daemonize():
    os.closerange(0, 100)
    hold_still()
run()
