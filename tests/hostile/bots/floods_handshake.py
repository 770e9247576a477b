# Has options without end: loses by startup.
from bot import *

run(ugi=lambda words: repeat(b"option name X type string\n" * 1000))
