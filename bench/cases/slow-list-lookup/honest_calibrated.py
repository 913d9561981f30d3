"""One call tells how often it must be repeated for a clock to see it."""
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
    made = {size: (Vocabulary(words(size)), words(size)) for size in SIZES}
    begin = time.process_time()
    made[400][0].encode(made[400][1])
    repeats = max(3, int(0.01 / max(time.process_time() - begin, 1e-4)))
    taken = {size: [] for size in SIZES}
    for _ in range(9):
        for size, (vocabulary, text) in made.items():
            begin = time.process_time()
            for _ in range(repeats):
                vocabulary.encode(text)
            taken[size].append((time.process_time() - begin) / repeats)
            print(f"OBS size={size} seconds={taken[size][-1]!r}")
    print(f"OBS cost={statistics.median(taken[1600]) / statistics.median(taken[400])!r}")
