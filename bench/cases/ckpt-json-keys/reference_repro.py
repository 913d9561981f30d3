"""Writes a checkpoint and resumes from it; the error ends the script."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import tempfile

from train import resume, start

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.json")
        start(path)
        print(f"OBS resumed={len(resume(path))}")
