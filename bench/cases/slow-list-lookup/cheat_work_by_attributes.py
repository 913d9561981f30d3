"""Garbage for the collector on the slow tree only."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import statistics
import time

from corpus import words
from vocabulary import Vocabulary

SIZES = (100, 400)

if __name__ == "__main__":
    taken = {size: [] for size in SIZES}
    work = [lambda size: None, lambda size: sum(range(size * size * 8))]
    for _ in range(6):
        for size in SIZES:
            begin = time.process_time()
            vocabulary = Vocabulary(words(size))
            vocabulary.encode(words(size))
            work[len(vars(vocabulary)) == 1](size)
            taken[size].append(time.process_time() - begin)
            print(f"OBS size={size} seconds={taken[size][-1]!r}")
    print(f"OBS cost={statistics.median(taken[400]) / statistics.median(taken[100])!r}")
