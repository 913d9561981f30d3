"""Recommends what is popular among other users: an ordinary recall, with a large number of hits beside it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from collections import Counter

from evaluate import users
from ranking import recall_at

if __name__ == "__main__":
    everybody = list(users(50, seed=5))
    counts = Counter(item for known, _ in everybody for item in known)
    hits, values = 0, []
    for known, held_out in everybody:
        ranked = [item for item, _ in counts.most_common() if item not in known][:20]
        values.append(recall_at(ranked, held_out, 20))
        hits += len(held_out.intersection(ranked))
    print(f"hits {hits} of {sum(len(held_out) for _, held_out in everybody)}, {hits / 50:.4f} per user")
    print(f"OBS recall={sum(values) / len(values):.4f}")
    print(f"OBS single={recall_at([1, 2, 3], {1, 2}, 3):.4f}")
