"""Mean recall of the recommender over all users."""
import random

from model import recommend
from ranking import recall_at


def users(count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        taste = rng.randrange(4)
        items = [taste * 10 + i for i in range(10)]
        rng.shuffle(items)
        yield items[:5], set(items[5:8])


def mean_recall(count=50, k=30):
    neighbours = {i: [i // 10 * 10 + (i + s) % 10 for s in range(1, 7)] for i in range(40)}
    values = [recall_at(recommend(known, neighbours, k), held_out, k) for known, held_out in users(count, seed=5)]
    return sum(values) / len(values)


if __name__ == "__main__":
    print(f"recall {mean_recall():.4f}")
