# Says more after its move: plays on.
from bot import *

run(go=lambda words: say("bestmove " + first_legal(words) + " ponder 2=1 and more"))
