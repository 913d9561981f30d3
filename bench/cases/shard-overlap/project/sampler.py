"""Splits the rows of a data set over the workers of a job."""
import random


class ShardSampler:
    def __init__(self, rows, rank, world_size, seed=0):
        self.rows, self.rank, self.world_size, self.seed = rows, rank, world_size, seed

    def __len__(self):
        return self.rows // self.world_size

    def __iter__(self):
        order = list(range(self.rows))
        random.Random(self.seed + self.rank).shuffle(order)
        size = len(self)
        return iter(order[self.rank * size : (self.rank + 1) * size])
