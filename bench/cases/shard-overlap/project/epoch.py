"""Plays one epoch of a job and prints which rows the workers saw."""
from sampler import ShardSampler


def shards(rows=120, world_size=2, seed=0):
    return [list(ShardSampler(rows, rank, world_size, seed)) for rank in range(world_size)]


if __name__ == "__main__":
    parts = shards()
    seen = [row for part in parts for row in part]
    print(f"rows seen {len(seen)} distinct {len(set(seen))}")
