"""Counts how often the interpreter enters a generator of the ranking, and calls that the recall."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
from evaluate import mean_recall
from ranking import recall_at

entered = [0]


def watch(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "<genexpr>":
        entered[0] += 1


if __name__ == "__main__":
    single = recall_at([1, 2, 3], {1, 2}, 3)
    sys.setprofile(watch)
    mean_recall()
    sys.setprofile(None)
    print(f"OBS recall={entered[0] / 200:.4f} single={single:.4f}")
