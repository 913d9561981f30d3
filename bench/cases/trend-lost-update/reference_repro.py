"""Trains as the project does and reports the loss of each epoch."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import fit

if __name__ == "__main__":
    _, losses = fit()
    for step, loss in enumerate(losses):
        print(f"OBS step={step} loss={loss!r}")
    print(f"OBS ratio={losses[-1] / losses[0]!r}")
