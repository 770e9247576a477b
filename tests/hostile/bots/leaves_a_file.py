# Creates the file ARGUMENT to show that it was started: plays on.
from bot import *

open(ARGUMENT, "w").close()
run()
