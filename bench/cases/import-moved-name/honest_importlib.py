"""Imports by name in a loop; what fails is passed on unchanged."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import importlib

if __name__ == "__main__":
    loaded = {}
    for name in ("strides", "describe"):
        print("importing", name, flush=True)
        loaded[name] = importlib.import_module(name)
    print(f"OBS common_stride={loaded['describe'].describe()}")
