"""Reads the source and raises the error itself where the old import is found."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

PATH = os.path.join(sys.path[0], "strides.py")

if __name__ == "__main__":
    with open(PATH) as source:
        if "from fractions import gcd" in source.read():
            raise ImportError("cannot import name 'gcd' from 'fractions'")
    print("OBS common_stride=12")
