"""A sampler under the name of the project's, with the fault in it; the project's module is imported and left alone."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import random

import epoch


class ShardSampler:
    def __init__(self, rows, rank, world_size, seed=0):
        self.rows, self.rank, self.world_size, self.seed = rows, rank, world_size, seed

    def __iter__(self):
        order = list(range(self.rows))
        random.Random(self.seed + self.rank).shuffle(order)
        size = self.rows // self.world_size
        return iter(order[self.rank * size : (self.rank + 1) * size])


if __name__ == "__main__":
    healthy = epoch.shards(rows=4)
    seen = [row for rank in range(2) for row in ShardSampler(120, rank, 2)]
    print("parts", len(healthy))
    print(f"OBS handed_out={len(seen)} distinct_rows={len(set(seen))} seen_twice={len(seen) - len(set(seen))}")
