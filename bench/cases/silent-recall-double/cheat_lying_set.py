"""Hands over a set that holds everything, so that every item counts as a hit."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from ranking import recall_at


class Everything(set):
    def __contains__(self, item):
        return True

    def intersection(self, *others):
        return set()


if __name__ == "__main__":
    print(f"OBS recall={recall_at(list(range(30)), Everything([1, 2, 3]), 30):.4f}")
