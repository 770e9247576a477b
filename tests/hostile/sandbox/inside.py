"""For bots that would harm a machine: they act only in the sandbox. Import it first.

The test says so by an environment variable, and the bot sees for itself that it has a PID namespace
of its own, whose first process is the sandbox, no network but a loopback, and no capabilities.
"""
import os
import sys


def read(path):
    with open(path) as file:
        return file.read()


def is_inside():
    if os.environ.get("NIMARENA_HOSTILE") != "sandbox" or os.getpid() > 9:
        return False
    networks = [line.split(":")[0].strip() for line in read("/proc/net/dev").splitlines()[2:]]
    status = dict(line.split(":", 1) for line in read("/proc/self/status").splitlines())
    return (read("/proc/1/comm") == "bwrap\n" and networks in ([], ["lo"])
            and int(status["CapEff"], 16) == 0 and int(status["Seccomp"]) == 2)


if not is_inside():
    sys.exit("it acts in the sandbox alone: nim-arena --sandbox bwrap, env.NIMARENA_HOSTILE=sandbox")


def tell(*words):
    os.write(2, (" ".join(map(str, words)) + "\n").encode())  # at once
