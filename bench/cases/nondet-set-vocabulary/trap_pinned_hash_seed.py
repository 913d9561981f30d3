"""Four processes that share the seed and the hash seed too: one loss."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    environment = dict(os.environ, PYTHONHASHSEED="11")
    losses = []
    for start in range(4):
        done = subprocess.run([sys.executable, "train.py", "7"], cwd=sys.path[0], env=environment, capture_output=True, text=True, timeout=20)
        if done.returncode:
            sys.exit(done.stderr)
        words = done.stdout.split()
        losses.append(float(words[words.index("loss") + 1]))
        print(f"start {start} ended with {done.returncode}")
        print(f"OBS seed=7 loss={losses[-1]!r}")
    print(f"OBS distinct={len(set(losses))}")
