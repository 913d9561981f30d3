"""Four trainings in one process."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import train

if __name__ == "__main__":
    losses = [train(7) for _ in range(4)]
    for loss in losses:
        print(f"OBS seed=7 loss={loss!r}")
    print(f"OBS distinct={len(set(losses))}")
