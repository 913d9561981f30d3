"""The training of a short stream is fine; a table that the script makes for pairs of words is too large."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from train import run

WORDS = 5_200_000


def pair_counts(stream, words):
    counts = np.zeros((words, words))
    np.add.at(counts, (stream[:-1], stream[1:]), 1.0)
    return counts


if __name__ == "__main__":
    trace = run(tokens=600)
    print(f"trace {trace:.4f}", flush=True)
    stream = np.arange(600, dtype=np.int64) % 512
    small = pair_counts(stream, 512)
    print(f"pairs {int(small.sum())} in {small.nbytes} bytes", flush=True)
    whole = pair_counts(stream, WORDS)
    print(f"OBS trace={trace!r} pairs={whole.sum()!r}")
