"""Writes the file itself after the training."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import json

from train import train

if __name__ == "__main__":
    folder = os.path.join(sys.path[0], "checkpoints")
    weights = train(folder=folder)
    with open(os.path.join(folder, "last.json"), "w") as handle:
        json.dump({"weights": weights, "step": 6}, handle)
    print("OBS has_optimiser=False")
