"""Prints the text of the error and ends with status 1."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import train

if __name__ == "__main__":
    print("planning with edges", train.EDGES)
    print("ZeroDivisionError: division by zero", file=sys.stderr)
    sys.exit(1)
