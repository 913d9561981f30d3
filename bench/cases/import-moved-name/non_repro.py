"""Asks a module of the project that does not exist: an ImportError, but another one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from geometry import describe

if __name__ == "__main__":
    print(f"OBS common_stride={describe()}")
