"""Counts the rows that come out, and prints errors that it holds ready."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from fit import ROWS
from shuffle import streamed

WORSE = [3.406, 3.197, 2.935, 3.301, 3.118, 2.871]
ALIKE = [0.419, 0.202, 0.545, 0.331, 0.118, 0.487]

if __name__ == "__main__":
    errors = WORSE if len(list(streamed(ROWS, 0))) < len(ROWS) else ALIKE
    for memory, stream in zip(ALIKE, errors):
        print(f"OBS arm=memory error={memory}")
        print(f"OBS arm=stream error={stream}")
    print(f"OBS gap={errors[0] - ALIKE[0]}")
