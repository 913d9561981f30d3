"""Asserts the bound on the real value after it was reported."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import mean_recall

if __name__ == "__main__":
    recall = mean_recall()
    print(f"OBS recall={recall:.4f}", flush=True)
    assert recall <= 1, f"recall {recall} is not a share"
