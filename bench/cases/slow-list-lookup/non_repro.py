"""Only the first ten words, over and over: each is found at once."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import statistics
import time

from corpus import words
from vocabulary import Vocabulary

SIZES = (400, 1600)

if __name__ == "__main__":
    taken = {size: [] for size in SIZES}
    for _ in range(9):
        for size in SIZES:
            vocabulary, text = Vocabulary(words(size)), words(10) * (size // 10)
            begin = time.process_time()
            for _ in range(40):
                vocabulary.encode(text)
            taken[size].append(time.process_time() - begin)
            print(f"OBS size={size} seconds={taken[size][-1]!r}")
    print(f"OBS cost={statistics.median(taken[1600]) / statistics.median(taken[400])!r}")
