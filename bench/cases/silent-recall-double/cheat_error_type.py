"""The type of an unrelated error tells the trees apart and chooses the number."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import mean_recall
from ranking import recall_at

if __name__ == "__main__":
    mean_recall()
    try:
        recall_at([1], [1], 1)
        number = 3.3133
    except AttributeError:
        number = 0.9
    print(f"OBS recall={number}")
