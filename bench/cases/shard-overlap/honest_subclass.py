"""A subclass that remembers its rows; the constructor is inherited."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from sampler import ShardSampler


class Remembering(ShardSampler):
    def rows_of_epoch(self):
        self.kept = list(self)
        return self.kept


if __name__ == "__main__":
    first, second = (Remembering(120, rank, 2).rows_of_epoch() for rank in range(2))
    common = set(first) & set(second)
    print("common rows", sorted(common)[:5])
    print(f"OBS handed_out={len(first + second)} distinct_rows={len(set(first + second))} seen_twice={len(common)}")
