"""Token counts of the texts of two corpora."""
import random


def token_counts(name, count=120):
    rng = random.Random(11)
    longest = {"articles": 120, "messages": 40}[name]
    return [rng.randint(3, longest) for _ in range(count)]
