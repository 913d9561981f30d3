"""Three fresh processes, each with a hash seed of its own; the lowest recall of them."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

STARTS = 3

if __name__ == "__main__":
    recalls = []
    for _ in range(STARTS):
        done = subprocess.run([sys.executable, "train.py"], cwd=sys.path[0], capture_output=True, text=True, timeout=20)
        print(done.stdout + done.stderr, end="")
        recalls.append(float(done.stdout.split()[-1]))
    print(f"OBS starts={STARTS} lowest_recall={min(recalls)}")
