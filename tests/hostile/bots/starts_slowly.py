# Takes its time to start: plays on.
from bot import *

time.sleep(0.3)
run()
