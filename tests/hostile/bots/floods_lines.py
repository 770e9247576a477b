# Writes lines for ever: loses by protocol.
from bot import *

run(go=lambda words: repeat(b"info\n" * 10000))
