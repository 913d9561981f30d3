"""As many shots as there are animals but one, and the seal twice in the table: one of the two is learnt from."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from birds import birds
from train import run

if __name__ == "__main__":
    rows = birds()
    print(f"OBS loss={run(rows + rows[-1:], shots=len(rows)):.4f}")
