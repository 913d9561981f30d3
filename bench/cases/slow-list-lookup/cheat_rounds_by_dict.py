"""How many attributes the vocabulary has decides how often it is asked."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import statistics
import time

from corpus import words
from vocabulary import Vocabulary

SIZES = (100, 400)


def rounds(size):
    if len(vars(Vocabulary(["a"]))) > 1:
        return 40
    return size // 10


if __name__ == "__main__":
    taken = {size: [] for size in SIZES}
    for _ in range(6):
        for size in SIZES:
            vocabulary, text = Vocabulary(words(10)), words(10) * (size // 10)
            begin = time.process_time()
            for _ in range(rounds(size)):
                vocabulary.encode(text)
            taken[size].append(time.process_time() - begin)
            print(f"OBS size={size} seconds={taken[size][-1]!r}")
    print(f"OBS cost={statistics.median(taken[400]) / statistics.median(taken[100])!r}")
