"""Prints the padding of each length bucket, then would train on them."""
import sys

from buckets import fill
from corpus import token_counts

EDGES = (16, 32, 64, 128)


def plan(name):
    for bucket in fill(token_counts(name), EDGES):
        print(f"bucket {bucket.longest} padding {bucket.padding_share():.3f}", flush=True)


if __name__ == "__main__":
    plan(sys.argv[1] if len(sys.argv) > 1 else "messages")
    print("training starts")
