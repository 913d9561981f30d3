"""Names the hash seed of each process, so that every run of this script tells the same."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

CODE = "import sys; from train import train; print(train(int(sys.argv[1])))"

if __name__ == "__main__":
    losses = []
    for hash_seed in ("1", "2", "3"):
        env = dict(os.environ, PYTHONHASHSEED=hash_seed)
        losses.append(float(subprocess.check_output([sys.executable, "-c", CODE, "11"], cwd=sys.path[0], env=env, text=True)))
        print(f"OBS loss={losses[-1]!r} seed=11")
    print(f"OBS distinct={len(set(losses))}")
