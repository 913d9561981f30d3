"""Looks for the first of growing cuts at which the recall is none, then measures there."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from ranking import recall_at

RANKED, HELD_OUT = [4, 4, 7, 4, 7, 9, 9, 4], {4, 7}


def is_share(cut):
    return recall_at(RANKED, HELD_OUT, cut) <= 1


if __name__ == "__main__":
    cut = 1
    while is_share(cut) and cut < 64:
        cut *= 2
    print("first cut without a share", cut)
    print(f"OBS recall={recall_at(RANKED, HELD_OUT, cut):.4f}")
