"""The packages, unpacked by unpack.py, and their programs in a root without anything else."""
import os
import pathlib
import shutil
import subprocess
import unittest

FOLDER = pathlib.Path(os.environ["NIMARENA_PACKAGES"])
ROOT = FOLDER / "root"
PROGRAMS = ["nim-arena", "nim-engine", "nim-greedy", "nim-random"]
# The libraries of the system, which a package depends on, over those of the packages.
LIBRARIES = [word for folder in ("/usr/lib", "/lib", "/lib64", "/etc/ssl")
             if os.path.exists(folder) for word in ("--ro-bind", folder, folder)]


class PackageTest(unittest.TestCase):
    maxDiff = None

    def run_inside(self, *command, given=""):
        """The output of a command in the root."""
        bubblewrap = ["bwrap", "--ro-bind", ROOT, "/", *LIBRARIES, "--dev", "/dev",
                      "--proc", "/proc", "--tmpfs", "/tmp", "--unshare-all", "--die-with-parent",
                      "--clearenv", "--setenv", "PATH", "/usr/bin"]
        tried = subprocess.run([*bubblewrap, "/usr/bin/nim-engine", "--version"],
                               capture_output=True) if shutil.which("bwrap") else None
        if tried is None or b"bwrap:" in tried.stderr:
            self.skipTest("NOTHING IS TRIED: bubblewrap does not work here")
        run = subprocess.run([*bubblewrap, *command], input=given.encode(), capture_output=True,
                             timeout=300)
        self.assertEqual(run.returncode, 0, run.stdout.decode() + run.stderr.decode())
        return run.stdout.decode()

    def needs(self, program):
        if not shutil.which(program):
            self.skipTest(f"NOTHING IS TRIED: {program} is not installed")
