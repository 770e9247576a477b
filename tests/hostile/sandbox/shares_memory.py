# Fills memory by ways that a process's own limits do not count: plays on.
import ctypes
import mmap

import inside
from bot import *

MIB = 1 << 20
MOST = 64  # MiB by each way; enough to tell
LIBC = ctypes.CDLL(None)
LIBC.shmat.restype = LIBC.mremap.restype = ctypes.c_void_p


def anonymous():
    mapped = mmap.mmap(-1, MIB, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    mapped.write(b"x" * MIB)
    return mapped


def zero():
    descriptor = os.open("/dev/zero", os.O_RDWR)
    try:
        mapped = mmap.mmap(descriptor, MIB, flags=mmap.MAP_SHARED)
    finally:
        os.close(descriptor)
    mapped.write(b"x" * MIB)
    return mapped


def by_descriptor():
    descriptor = os.memfd_create("memory")
    os.write(descriptor, b"x" * MIB)
    return descriptor


def system_v():
    number = LIBC.shmget(0, MIB, 0o1600)
    address = LIBC.shmat(number, None, 0)
    if number < 0 or address in (None, ctypes.c_void_p(-1).value):
        raise OSError("no segment")
    ctypes.memset(address, 120, MIB)
    return number


def stack():
    return mmap.mmap(-1, MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x0100)


def moved_stack():
    with open("/proc/self/maps") as maps:
        low = next(int(line.split("-")[0], 16) for line in maps if "[stack]" in line)
    address = LIBC.mremap(ctypes.c_void_p(low), ctypes.c_size_t(4096), ctypes.c_size_t(MIB), 1)
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError("not moved")
    ctypes.memset(address, 120, MIB)
    return address


def file():
    name = f"/dev/shm/{len(os.listdir('/dev/shm'))}"
    with open(name, "wb", buffering=0) as written:
        if written.write(b"x" * MIB) < MIB:
            raise OSError("no room")
    return name


def go(words):
    kept = []
    for way in (anonymous, zero, by_descriptor, system_v, stack, moved_stack, file):
        taken = 0
        try:
            while taken < MOST:
                kept.append(way())
                taken += 1
        except OSError:
            pass
        inside.tell("took", way.__name__, taken)
    for name in os.listdir("/dev/shm"):
        os.remove("/dev/shm/" + name)
    play(words)


run(go=go)
