# Does not end at `quit`: plays on.
from bot import *

run(quit=lambda words: hold_still())
