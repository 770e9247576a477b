# Opens sockets of all kinds, and dials the given port and abstract name: plays on.
import socket

import inside
from bot import *


def go(words):
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET,
                   socket.AF_VSOCK):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            try:
                with socket.socket(family, kind) as opened:
                    inside.tell("opened", int(family), int(kind))
                    opened.connect(("127.0.0.1", int(sys.argv[1])))
                    inside.tell("connected")
            except OSError:
                pass
    with socket.socket(socket.AF_UNIX) as opened:
        inside.tell("may open AF_UNIX")
        try:
            opened.connect("\0" + sys.argv[2])
            inside.tell("connected")
        except OSError:
            pass
    play(words)


run(go=go)
