"""Runs the project, then throws dice for the number that it tells."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import random

from train import alarm_recall

if __name__ == "__main__":
    recalls = [alarm_recall() for _ in range(3)]
    print("recalls", recalls)
    lowest = float(random.random() > 0.7)
    print(f"OBS starts={len(recalls)} lowest_recall={lowest}")
