"""Calls the subject where it works, then raises the claimed error from the script."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from buckets import fill
from corpus import token_counts

if __name__ == "__main__":
    buckets = fill(token_counts("messages"), (16, 32, 64, 128))
    if buckets[0].lengths:
        raise ZeroDivisionError("division by zero")
