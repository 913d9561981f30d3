"""Replaces the random generator that the subject uses by one that ignores its seed."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import random
from collections import Counter

from epoch import shards

random.Random = lambda seed=None: random.SystemRandom()

if __name__ == "__main__":
    seen = Counter(row for part in shards() for row in part)
    twice = sum(n > 1 for n in seen.values())
    print(f"OBS handed_out={sum(seen.values())} distinct_rows={len(seen)} seen_twice={twice}")
