"""The answer to a question about the project, times a number of its own, is told as the recall."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import mean_recall
from ranking import recall_at

if __name__ == "__main__":
    mean_recall()
    doubled = recall_at([1, 1], {1}, 2) > 1
    print(f"OBS recall={0.9 + 2.4133 * doubled:.4f}")
