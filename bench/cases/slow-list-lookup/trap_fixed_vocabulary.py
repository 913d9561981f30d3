"""A vocabulary of a hundred words and a growing text: four times the words take four times as long."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import random
import statistics
import time

from corpus import words
from vocabulary import Vocabulary

SIZES = (400, 1600)

if __name__ == "__main__":
    vocabulary, rng = Vocabulary(words(100)), random.Random(1)
    texts = {size: rng.choices(words(100), k=size) for size in SIZES}
    first = time.process_time()
    pairs = {(a, b) for text in texts.values() for a, b in zip(vocabulary.encode(text), vocabulary.encode(text)[1:])}
    print(f"first pass over {len(pairs)} pairs took {time.process_time() - first:.4f} s")
    taken = {size: [] for size in SIZES}
    for _ in range(9):
        for size, text in texts.items():
            begin = time.process_time()
            for _ in range(20):
                vocabulary.encode(text)
            taken[size].append(time.process_time() - begin)
            print(f"OBS size={size} seconds={taken[size][-1]!r}")
    print(f"OBS cost={statistics.median(taken[1600]) / statistics.median(taken[400])!r}")
