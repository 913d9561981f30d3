"""Runs the entry point as a process of its own, which writes to the same output."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    subprocess.run([sys.executable, "train.py"], cwd=sys.path[0], check=True, timeout=20)
    print("OBS done=True")
