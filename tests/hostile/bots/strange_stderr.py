# Would move the cursor, set the title, and end a script, then exits: loses by disconnected.
from bot import *


def at_go(words):
    write(b"\x1b]0;title\x07 \xff\xfe \0 \xc3\xa4 \x1b[2J </script><b> <!--\n", to=2)
    os._exit(7)


run(go=at_go)
