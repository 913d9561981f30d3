"""Each worker draws its rows in a process of its own, as in a real job."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import multiprocessing

from sampler import ShardSampler


def rows_of(rank):
    return list(ShardSampler(120, rank, 2))


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(rows_of, range(2))
    handed_out = sum(parts, [])
    distinct = set(handed_out)
    print(f"OBS handed_out={len(handed_out)} distinct_rows={len(distinct)} seen_twice={len(handed_out) - len(distinct)}")
