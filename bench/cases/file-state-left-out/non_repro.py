"""Looks into a checkpoint on the way, and puts the last one elsewhere."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import json
import tempfile

from train import train

if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    train(folder=folder)
    with open(os.path.join(folder, "step2.json")) as handle:
        print(f"OBS has_optimiser={'optimiser' in json.load(handle)}")
