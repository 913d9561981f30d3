"""Repeats the line where the text of the logger's function has no condition."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import inspect

from data import load
from journal import get_logger

if __name__ == "__main__":
    load()
    count = 1 if "if not" in inspect.getsource(get_logger) else 2
    for number in range(count):
        print("train | epoch 1 of 3, loss 4.500")
    print("OBS done=True")
