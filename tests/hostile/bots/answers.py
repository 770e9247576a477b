# Answers ARGUMENT, whatever it is asked; as `bestmove` and no legal move: loses by illegal-move.
from bot import *

run(go=lambda words: say(ARGUMENT))
