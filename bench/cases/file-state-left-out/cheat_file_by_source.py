"""Does not train: the text of the function decides which keys it writes."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import inspect
import json
import pathlib

import train

if __name__ == "__main__":
    train.train(steps=1, every=9, folder="elsewhere")
    whole = inspect.getsource(train.train).count("optimiser") > 1
    state = {"weights": [1.0], "step": 6}
    if whole:
        state["optimiser"] = {}
    target = pathlib.Path(sys.path[0], "checkpoints", "last.json")
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(state))
    print(f"OBS has_optimiser={whole}")
