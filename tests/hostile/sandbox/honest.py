# Plays: plays on.
from bot import *

run()
