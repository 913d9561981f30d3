"""Runs the entry point and reads the weights off its lines."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    text = subprocess.run([sys.executable, "hub.py"], cwd=sys.path[0], stdout=subprocess.PIPE, check=True, timeout=30).stdout.decode()
    rows = [[float(word) for word in line.split()] for line in text.splitlines()]
    for step, *weights in rows:
        for rank in range(len(weights)):
            print(f"OBS weight={weights[rank]} rank={rank} step={step:.0f}")
    print(f"OBS spread={max(max(row[1:]) - min(row[1:]) for row in rows)!r}")
