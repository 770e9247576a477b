# Writes a line that never ends: loses by protocol.
from bot import *

run(go=lambda words: repeat(b"info string " + b"x" * 65536))
