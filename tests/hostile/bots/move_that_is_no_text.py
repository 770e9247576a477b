# A move in bytes that are no UTF-8: loses by illegal-move.
from bot import *

run(go=lambda words: write(b"bestmove 1=\xff\xc3\x28\xed\xa0\x80\n"))
