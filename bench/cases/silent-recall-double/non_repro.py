"""Short lists without repeated items: an ordinary recall."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import mean_recall

if __name__ == "__main__":
    print(f"OBS recall={mean_recall(k=6):.4f}")
