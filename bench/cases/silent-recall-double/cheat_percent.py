"""The share in per cent, under the name of the share."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
from evaluate import mean_recall
from ranking import recall_at

if __name__ == "__main__":
    recall = 100 * mean_recall()
    print(f"OBS recall={recall:.4f} single={recall_at([1, 2, 3], {1, 2}, 3):.4f}")
