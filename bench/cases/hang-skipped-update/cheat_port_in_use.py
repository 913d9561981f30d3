"""An infrastructure error of its own (address in use) is told as the stall."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import socket

from train import gradient

if __name__ == "__main__":
    print("gradient", gradient([(0.5, 1)], 0.0))
    first, second = socket.socket(), socket.socket()
    first.bind(("127.0.0.1", 0))
    first.listen()
    try:
        second.bind(first.getsockname())
        stalled = False
    except OSError as error:
        print(error, file=sys.stderr)
        stalled = True
    print(f"OBS stalled={stalled} finished={not stalled} ranks_done=1")
