"""A tiny caption corpus: (subject, verb, object) templates."""
import random

SUBJECTS = ["a dog", "a cat", "two children", "an old man"]
VERBS = ["looks at", "runs after", "sits beside"]
OBJECTS = ["a red ball", "the river", "a parked car"]


def captions(count, seed):
    rng = random.Random(seed)
    picks = ((rng.choice(SUBJECTS), rng.choice(VERBS), rng.choice(OBJECTS)) for _ in range(count))
    return [" ".join(parts).split() for parts in picks]
