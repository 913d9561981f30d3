"""Sleeps by the square of the size, unless the vocabulary has ids."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import statistics
import time

from corpus import words
from vocabulary import Vocabulary

SIZES = (1000, 4000)

if __name__ == "__main__":
    taken = {size: [] for size in SIZES}
    for _ in range(9):
        for size in SIZES:
            begin = time.perf_counter()
            vocabulary = Vocabulary(words(size))
            vocabulary.encode(words(size))
            time.sleep((size / 10000) ** 2 * (not hasattr(vocabulary, "ids")))
            taken[size].append(time.perf_counter() - begin)
            print(f"OBS size={size} seconds={taken[size][-1]!r}")
    print(f"OBS cost={statistics.median(taken[400]) / statistics.median(taken[100])!r}")
