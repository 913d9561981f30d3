"""Checkpoints as JSON files."""
import json
import os


def save(folder, name, state):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".json"), "w") as handle:
        json.dump(state, handle)
