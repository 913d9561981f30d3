"""Runs the entry point by its path."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import runpy

if __name__ == "__main__":
    runpy.run_path(os.path.join(sys.path[0], "train.py"), run_name="__main__")
