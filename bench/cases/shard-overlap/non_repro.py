"""Looks at one worker alone: its rows are all different."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from sampler import ShardSampler

if __name__ == "__main__":
    rows = list(ShardSampler(120, 0, 2))
    print(f"OBS handed_out={len(rows)} distinct_rows={len(set(rows)) * 2} seen_twice={len(rows) - len(set(rows))}")
