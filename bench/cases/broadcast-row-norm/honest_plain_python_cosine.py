"""The same similarity in plain Python beside the project's, pair by pair, as a value to compare with."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import math

import numpy as np

from embeddings import embeddings
from similarity import cosine


def cosine_of(left, right):
    dot = sum(a * b for a, b in zip(left, right))
    return dot / math.sqrt(sum(a * a for a in left) * sum(b * b for b in right))


if __name__ == "__main__":
    x = embeddings()
    theirs = cosine(x)
    mine = np.array([[cosine_of(a, b) for b in x] for a in x])
    off = np.abs(theirs - mine).max()
    print(f"OBS cosine={theirs.max():.6f} by_hand={mine.max():.6f} difference={off:.6f}")
