"""Every class has rows; the log odds of a class that is always right divide by zero: another warning."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from validate import validate

if __name__ == "__main__":
    scores = validate(1)
    for number in (2, 3):
        scores = np.minimum(scores, validate(number))
    best = np.maximum(scores, validate(1))
    odds = best / (1 - best)
    print("log odds", " ".join(f"{value:.3f}" for value in np.log(odds)))
    finite = int(np.isfinite(odds).sum())
    print(f"finite in {finite} of {len(odds)} classes")
    print(f"OBS classes={len(scores)} last_class={scores[-1]:.3f}")
