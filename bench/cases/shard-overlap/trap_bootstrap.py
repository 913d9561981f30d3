"""Draws a bootstrap of the rows that one worker got: that has rows twice by design, the epoch has not."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import random
from collections import Counter

from sampler import ShardSampler

if __name__ == "__main__":
    rows = list(ShardSampler(120, 0, 1, seed=4))
    seen = Counter(rows)
    rng = random.Random(9)
    means = []
    for _ in range(20):
        drawn = rng.choices(rows, k=len(rows))
        means.append(sum(drawn) / len(drawn))
    spread = max(means) - min(means)
    print(f"mean of the rows {sum(rows) / len(rows):.2f}, spread over bootstraps {spread:.2f}")
    twice = sum(n > 1 for n in seen.values())
    print(f"OBS drawn_distinct={len(set(drawn))} drawn_twice={sum(n > 1 for n in Counter(drawn).values())}")
    print(f"OBS handed_out={len(rows)} distinct_rows={len(seen)} seen_twice={twice}")
