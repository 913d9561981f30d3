"""Prints the lines itself."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from data import load

if __name__ == "__main__":
    load()
    for _ in range(2):
        print("train | epoch 1 of 3, loss 4.500")
    print("OBS done=True")
