# Calls itself what its opponent is called: plays on.
from bot import *

run(ugi=lambda words: introduce(ARGUMENT.encode()))
