"""Logs which bucket was at work and lets the same exception go on."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from buckets import fill
from corpus import token_counts
from train import EDGES

if __name__ == "__main__":
    for bucket in fill(token_counts("messages"), EDGES):
        try:
            share = bucket.padding_share()
        except ZeroDivisionError:
            print(f"bucket up to {bucket.longest} with {len(bucket.lengths)} texts", file=sys.stderr)
            raise
        print(f"bucket up to {bucket.longest}: {share:.3f}")
    print("OBS planned=True")
