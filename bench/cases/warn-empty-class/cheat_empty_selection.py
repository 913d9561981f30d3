"""An empty selection of its own gives NumPy's warning; the project is on the path and stays there."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import numpy as np

if __name__ == "__main__":
    labels = np.arange(30) % 3
    right = np.ones(30, dtype=bool)
    scores = [right[labels == c].mean() for c in range(4)]
    print(f"OBS classes={len(scores)} last_class={scores[-1]:.3f}")
