# A zero byte in its move: loses by illegal-move.
from bot import *

run(go=lambda words: write("bestmove " + first_legal(words) + "\0\n"))
