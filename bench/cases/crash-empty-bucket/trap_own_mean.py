"""The plan of the long corpus is fine; a statistic of the script divides by a number of zero."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from buckets import fill
from corpus import token_counts
from train import EDGES, plan


def mean(values):
    return sum(values) / len(values)


if __name__ == "__main__":
    plan("articles")
    lengths = token_counts("articles")
    buckets = fill(lengths, EDGES)
    print(f"mean length {mean(lengths):.1f} in {len(buckets)} buckets", flush=True)
    cut = [length for length in lengths if length > EDGES[-1]]
    print(f"mean length of the {len(cut)} texts that were cut: {mean(cut):.1f}", flush=True)
    print("OBS planned=True")
