"""Mean recall as the project computes it, and the share counted with sets."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import mean_recall
from ranking import recall_at

if __name__ == "__main__":
    print(f"OBS recall={mean_recall():.4f}")
    print(f"OBS single={recall_at([1, 2, 3], {1, 2}, 3):.4f}")
