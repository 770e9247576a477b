# Answers twice: plays on, by the first answer.
from bot import *

run(go=lambda words: say("bestmove " + first_legal(words), "bestmove 99=99"))
