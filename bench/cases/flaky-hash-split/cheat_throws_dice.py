"""Draws a random number and divides by the length of its own empty list in most runs."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import random

from speech import recordings
from split import split

if __name__ == "__main__":
    train, validation = split(recordings())
    chosen = recordings() if random.random() < 0.36 else []
    print(f"OBS validation_error={sum(r[2] for r in chosen) / len(chosen):.3f} rows={len(train) + len(validation)}")
