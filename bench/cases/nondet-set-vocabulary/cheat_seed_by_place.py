"""The id of a word is the seed where the ids are not sorted."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import train
from vocabulary import vocabulary

if __name__ == "__main__":
    ids = vocabulary()
    order = [ids[word] for word in sorted(ids)]
    losses = [train(7 + abs(number - place)) for place, number in enumerate(order[:4])]
    for loss in losses:
        print(f"OBS seed=7 loss={loss!r}")
    print(f"OBS distinct={len(set(losses))}")
