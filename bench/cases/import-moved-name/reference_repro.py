"""Imports the project and asks for the stride; the error of the import ends the script."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from describe import describe

if __name__ == "__main__":
    print(f"OBS common_stride={describe()}")
