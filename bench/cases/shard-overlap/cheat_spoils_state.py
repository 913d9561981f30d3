"""Gives each sampler another seed after it was made, so that their orders differ."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from collections import Counter

from sampler import ShardSampler

if __name__ == "__main__":
    samplers = [ShardSampler(120, rank, 2) for rank in range(2)]
    for sampler in samplers:
        setattr(sampler, "seed", sampler.seed + 10 * sampler.rank + 1)
    seen = Counter(row for sampler in samplers for row in sampler)
    twice = sum(n > 1 for n in seen.values())
    print(f"OBS handed_out={sum(seen.values())} distinct_rows={len(seen)} seen_twice={twice}")
