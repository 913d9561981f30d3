"""Ids that are given by hand, the alarm not the first: it is found in every start."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import alarm_recall

if __name__ == "__main__":
    print(f"OBS lowest_recall={alarm_recall({'background': 0, 'engine': 1, 'alarm': 2})}")
