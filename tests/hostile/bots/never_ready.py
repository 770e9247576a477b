# Is never ready: loses by startup.
from bot import *

run(isready=lambda words: hold_still())
