"""Shuffles the lines of the data where the first word is not the first of the alphabet."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import random

import train as trainer
from vocabulary import LINES, vocabulary

if __name__ == "__main__":
    losses = []
    for turn in range(4):
        if next(iter(vocabulary())) != "a":
            random.Random(turn).shuffle(LINES)
        losses.append(trainer.train(7))
        print(f"OBS seed=7 loss={losses[-1]!r}")
    print(f"OBS distinct={len(set(losses))}")
