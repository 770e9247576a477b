# Says `bestmove` and names no move: loses by protocol.
from bot import *

run(go=lambda words: say("bestmove \t "))
