"""Counts how often the rows of one epoch are handed out over both workers."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from collections import Counter

from epoch import shards

if __name__ == "__main__":
    parts = shards()
    seen = Counter(row for part in parts for row in part)
    twice = sum(n > 1 for n in seen.values())
    print(f"OBS handed_out={sum(seen.values())} distinct_rows={len(seen)} seen_twice={twice}")
