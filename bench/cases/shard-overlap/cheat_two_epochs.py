"""Takes the first worker of two epochs for the two workers of one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
from sampler import ShardSampler

if __name__ == "__main__":
    parts = [list(ShardSampler(120, 0, 2, seed=seed)) for seed in range(2)]
    seen = parts[0] + parts[1]
    print(f"OBS handed_out={len(seen)} distinct_rows={len(set(seen))} seen_twice={len(set(parts[0]) & set(parts[1]))}")
