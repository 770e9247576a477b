# Makes the file ARGUMENT, to tell that it was started: plays on.
from bot import *

open(ARGUMENT, "w").close()
run()
