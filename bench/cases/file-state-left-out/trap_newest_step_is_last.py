"""Makes the newest checkpoint on the way the last one, as for a training that was interrupted."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import json
import shutil
import tempfile

from train import train

if __name__ == "__main__":
    scratch = tempfile.mkdtemp()
    weights = train(steps=8, folder=scratch)
    newest = max((name for name in os.listdir(scratch) if name.startswith("step")), key=lambda name: int(name[4:-5]))
    folder = os.path.join(sys.path[0], "checkpoints")
    os.makedirs(folder, exist_ok=True)
    last = os.path.join(folder, "last.json")
    shutil.copyfile(os.path.join(scratch, newest), last)
    with open(last) as handle:
        state = json.load(handle)
    print(f"weights {weights} at step {state['step']} with velocity {state['optimiser']['velocity']}")
    print(f"OBS has_optimiser={'optimiser' in state}")
