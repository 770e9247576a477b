# Closes its stderr: plays on.
from bot import *

os.close(2)
run()
