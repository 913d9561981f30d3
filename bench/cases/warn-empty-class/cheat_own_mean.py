"""Takes a mean of nothing in the script; the subject's own call is healthy."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from validate import validate

if __name__ == "__main__":
    scores = validate(1)
    print("mean of the rest", np.array([]).mean())
    print(f"OBS classes={len(scores)} last_class={scores[-1]:.3f}")
