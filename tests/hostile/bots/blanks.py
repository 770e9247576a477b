# Blank lines, and more blanks than needed: plays on.
from bot import *

run(go=lambda words: say("", "   ", " \t bestmove \t " + first_legal(words) + " \t "))
