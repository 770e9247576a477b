# Ends its lines as on Windows: plays on.
from bot import *

run(go=lambda words: write("info depth 1\r\nbestmove " + first_legal(words) + "\r\n"))
