"""A corpus that puts a single text into the last buckets: thin ones, none of them empty."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from buckets import fill
from corpus import token_counts
from train import EDGES

if __name__ == "__main__":
    lengths = token_counts("messages") + [60, 100]
    buckets = fill(lengths, EDGES)
    share, weight = 0.0, 0.0
    for epoch in range(3):
        loss = 0.0
        for bucket in buckets:
            for length in bucket.lengths:
                error = weight * length / bucket.longest - 1.0
                weight -= 0.01 * error * length / bucket.longest
                loss += error * error
        print(f"epoch {epoch} loss {loss / len(lengths):.4f}", flush=True)
    for bucket in buckets:
        share += bucket.padding_share() * len(bucket.lengths) / len(lengths)
        print(f"bucket {bucket.longest} texts {len(bucket.lengths)} padding {bucket.padding_share():.3f}", flush=True)
    print(f"OBS planned={0.0 <= share < 1.0}")
