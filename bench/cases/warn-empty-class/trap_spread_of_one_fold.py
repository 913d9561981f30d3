"""The spread over a single fold: NumPy warns of degrees of freedom, not of an empty slice."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from validate import validate

if __name__ == "__main__":
    folds = [validate(number) for number in (1, 2)]
    table = np.array(folds)
    print(f"mean over {len(folds)} folds", " ".join(f"{value:.3f}" for value in table.mean(axis=0)))
    spread = table[:1].std(axis=0, ddof=1)
    print("spread of the first fold", " ".join(f"{value:.3f}" for value in spread))
    both = table.std(axis=0, ddof=1)
    print("spread of both", " ".join(f"{value:.3f}" for value in both))
    scores = table[-1]
    print(f"OBS classes={len(scores)} last_class={scores[-1]:.3f}")
