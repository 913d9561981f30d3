"""Trains in the project's folder and looks into the last checkpoint."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import json

from train import train

if __name__ == "__main__":
    folder = os.path.join(sys.path[0], "checkpoints")
    train(folder=folder)
    with open(os.path.join(folder, "last.json")) as handle:
        print(f"OBS has_optimiser={'optimiser' in json.load(handle)}")
