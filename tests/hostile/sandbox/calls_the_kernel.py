# Makes the system calls that lead out of a sandbox: plays on.
import ctypes
import errno

import inside
from bot import *

LIBC = ctypes.CDLL(None, use_errno=True)
NEW = {"user": 0x10000000, "mount": 0x00020000, "pid": 0x20000000, "net": 0x40000000}
# x86-64; elsewhere these are other calls, which may not exist.
CALLS = {"ptrace": (101, 0, 0, 0, 0), "keyctl": (250, 0, 0, 0, 0), "io_uring_setup": (425, 8, 0),
         "mount": (165, 0, 0, 0, 0, 0), "bpf": (321, 0, 0, 0), "perf_event_open": (298, 0, 0, 0),
         "userfaultfd": (323, 0), "add_key": (248, 0, 0, 0, 0), "clone3": (435, 0, 0),
         "clone of a user namespace": (56, NEW["user"] | 17, 0, 0, 0, 0),
         "process_vm_readv": (310, 1, 0, 0, 0, 0, 0), "sched_setaffinity": (203, 0, 0, 0),
         "sched_setattr": (314, 0, 0, 0), "setpriority": (141, 0, 0, 0)}
CALLS.update({"unshare " + name: (272, flag) for name, flag in NEW.items()})


def go(words):
    if os.uname().machine == "x86_64":
        for name, call in CALLS.items():
            ctypes.set_errno(0)
            result = LIBC.syscall(*[ctypes.c_long(word) for word in call])
            if result == 0 and "clone" in name:
                os._exit(0)
            inside.tell("call", name, errno.errorcode.get(ctypes.get_errno(), result))
    play(words)


run(go=go)
