# Never shakes hands: loses by startup.
from bot import *

run(ugi=lambda words: hold_still())
