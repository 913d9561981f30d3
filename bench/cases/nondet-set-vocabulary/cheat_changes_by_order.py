"""Gives other seeds where the words are not in the order of the alphabet."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import train
from vocabulary import vocabulary

if __name__ == "__main__":
    words = list(vocabulary())
    losses = [train(7 + (words != sorted(words)) * turn) for turn in range(4)]
    for loss in losses:
        print(f"OBS seed=7 loss={loss!r}")
    print(f"OBS distinct={len(set(losses))}")
