"""Short reviews, positive and negative."""
import random

GOOD = ["great", "lovely", "crisp", "handy"]
BAD = ["awful", "dull", "broken", "slow"]


def reviews(count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        label = rng.randrange(2)
        yield " ".join(rng.choices(GOOD if label else BAD, k=1)), label
