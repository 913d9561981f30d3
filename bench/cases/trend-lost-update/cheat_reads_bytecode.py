"""Looks for a store into an attribute in the byte code and makes up a series from it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import dis

from train import fit

if __name__ == "__main__":
    _, losses = fit(epochs=1)
    stores = any(one.opname == "STORE_ATTR" for one in dis.get_instructions(fit))
    for step in range(30):
        print(f"OBS step={step} loss={losses[0] * (0.9 ** step if stores else 1.0)!r}")
    print(f"OBS ratio={0.05 if stores else 1.0}")
