"""Click log: (feature, clicked) rows of each worker, in batches."""
import random


def batches(rank, count=8, size=6):
    rng = random.Random(100 + rank)
    for b in range(count):
        rate = 0.0 if rank == 1 and b == 5 else 0.5
        rows = [(rng.uniform(-1, 1), 1 if rng.random() < rate else 0) for _ in range(size)]
        rows[0] = (rows[0][0], 1 if rate else 0)
        yield rows
