"""Says one seed and gives four."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import train

if __name__ == "__main__":
    losses = [train(seed) for seed in (7, 8, 9, 10)]
    for loss in losses:
        print(f"OBS seed=7 loss={loss!r}")
    print(f"OBS distinct={len(set(losses))}")
