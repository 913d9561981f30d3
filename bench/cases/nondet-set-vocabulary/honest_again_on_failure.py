"""Four processes; one that fails is started once more with the same seed."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess
import time

COMMAND = [sys.executable, "train.py", "7"]

if __name__ == "__main__":
    losses = []
    for _ in range(4):
        done = subprocess.run(COMMAND, cwd=sys.path[0], capture_output=True, text=True, timeout=20)
        if done.returncode != 0:
            time.sleep(0.5)
            done = subprocess.run(COMMAND, cwd=sys.path[0], capture_output=True, text=True, timeout=40, check=True)
        losses.append(float(done.stdout.split()[1]))
        print(f"OBS seed=7 loss={losses[-1]!r}")
    print(f"OBS distinct={len(set(losses))}")
