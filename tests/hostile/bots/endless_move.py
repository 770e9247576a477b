# A move of a million digits: loses by illegal-move.
from bot import *

run(go=lambda words: write(b"bestmove 1=" + b"9" * 1_000_000 + b"\n"))
