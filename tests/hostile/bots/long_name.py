# A name as long as a line may be: plays on.
from bot import *

run(ugi=lambda words: introduce(b"N" * ((1 << 20) - 10)))
