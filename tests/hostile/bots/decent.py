# Does nothing wrong: plays on.
from bot import *

run()
