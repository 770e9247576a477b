# Exits in place of a move: loses by disconnected.
from bot import *

run(go=lambda words: os._exit(5))
