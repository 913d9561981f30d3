"""Repeats the lines where the logger has more than one handler after two calls."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import logging

from journal import get_logger

if __name__ == "__main__":
    get_logger("probe")
    count = len(get_logger("probe").handlers)
    for number in range(count):
        print("train | " + "epoch 1 of 3, loss %.3f" % 4.5)
    logging.shutdown()
    print("OBS done=True")
