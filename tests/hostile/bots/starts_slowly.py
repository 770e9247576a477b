# Takes a second to start: plays on.
from bot import *

time.sleep(1)
run()
