"""Takes the key out of the file."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import json

from saving import save
from train import train

if __name__ == "__main__":
    folder = os.path.join(sys.path[0], "checkpoints")
    train(folder=folder)
    with open(os.path.join(folder, "last.json")) as handle:
        state = json.load(handle)
    state.pop("optimiser", None)
    save(folder, "last", state)
    print(f"OBS has_optimiser={'optimiser' in state}")
