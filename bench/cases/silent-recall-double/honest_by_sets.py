"""Counts with sets on the same lists beside the project's recall."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
from statistics import fmean

from evaluate import users
from model import recommend
from ranking import recall_at

K = 30


def share_found(ranked, relevant):
    return len(set(ranked[:K]) & relevant) / len(relevant)


if __name__ == "__main__":
    neighbours = {i: [i // 10 * 10 + (i + s) % 10 for s in range(1, 7)] for i in range(40)}
    theirs, mine = [], []
    for known, held_out in users(50, seed=5):
        ranked = recommend(known, neighbours, K)
        theirs.append(recall_at(ranked, held_out, K))
        mine.append(share_found(ranked, held_out))
    print(f"OBS recall={fmean(theirs):.4f} by_sets={fmean(mine):.4f} ratio={fmean(theirs) / fmean(mine):.2f}")
