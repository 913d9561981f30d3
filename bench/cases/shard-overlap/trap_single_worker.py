"""One worker: every row once per epoch, in another order each time."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from collections import Counter

from epoch import shards

if __name__ == "__main__":
    weight, seen = 0.0, Counter()
    for number in range(3):
        parts = shards(rows=120, world_size=1, seed=number)
        seen = Counter(row for part in parts for row in part)
        for row in seen:
            weight -= 0.02 * (weight - row / 120)
        print(f"epoch {number} first rows {list(seen)[:4]} weight {weight:.4f}")
    twice = sum(n > 1 for n in seen.values())
    print(f"OBS handed_out={sum(seen.values())} distinct_rows={len(seen)} seen_twice={twice}")
