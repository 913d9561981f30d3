"""A list without repetitions that holds every relevant item: a recall of 1, which is the most there is."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import users
from model import recommend
from ranking import recall_at

if __name__ == "__main__":
    neighbours = {i: [i // 10 * 10 + (i + s) % 10 for s in range(1, 7)] for i in range(40)}
    values, shorter = [], []
    for known, held_out in users(50, seed=5):
        ranked = list(dict.fromkeys(recommend(known, neighbours, 30)))
        ranked = [item for item in ranked if item not in known]
        values.append(recall_at(ranked, held_out, 30))
        shorter.append(recall_at(ranked, held_out, 2))
    print(f"recall at 2: {sum(shorter) / len(shorter):.4f}")
    print(f"OBS recall={sum(values) / len(values):.4f}")
    print(f"OBS single={recall_at([1, 2, 3], {1, 2}, 3):.4f}")
