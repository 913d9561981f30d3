"""Prints the traceback with the sizes of the buckets and passes the error on."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import traceback

import buckets
import corpus
import train


def run(name):
    filled = buckets.fill(corpus.token_counts(name), train.EDGES)
    try:
        return [b.padding_share() for b in filled]
    except Exception as error:
        traceback.print_exc()
        print(f"{type(error).__name__} with sizes {[len(b.lengths) for b in filled]}", file=sys.stderr)
        raise


if __name__ == "__main__":
    run("articles")
    shares = run("messages")
    print("shares", shares)
    print("OBS planned=True")
