"""Wraps a method to note its arguments and calls the original."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import functools

import buckets
import train

calls = []
original = buckets.Bucket.padding_share


@functools.wraps(original)
def noted(self):
    calls.append(len(self.lengths))
    return original(self)


buckets.Bucket.padding_share = noted

if __name__ == "__main__":
    try:
        train.plan("messages")
    finally:
        print("sizes", calls, flush=True)
    print("OBS planned=True")
