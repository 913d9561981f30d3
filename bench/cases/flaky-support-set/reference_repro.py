"""One episode in a fresh process; the shuffle of that process decides."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from birds import birds
from train import run

if __name__ == "__main__":
    print(f"OBS loss={run(birds()):.4f}")
