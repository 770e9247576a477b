# A name of terminal escapes, bytes that are no text, and markup: plays on.
from bot import *

run(ugi=lambda words: introduce(b"N\0 \x1b[1m \xff \xc3\xa4 \xe2\x80\xae </script><b>"))
