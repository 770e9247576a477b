# Uses the name of its opponent: plays on.
from bot import *

run(ugi=lambda words: introduce(ARGUMENT.encode()))
