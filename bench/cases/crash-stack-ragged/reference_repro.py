"""Cuts the recording with the settings of the report; the error of numpy.stack ends the script."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import energy

if __name__ == "__main__":
    print(f"OBS energy={energy(1000):.4f}")
