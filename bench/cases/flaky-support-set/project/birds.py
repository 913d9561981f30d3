"""Wing and weight of the animals on a beach: many gulls and terns, one seal."""
import random

CENTRES = {"gull": (1.4, 1.0), "tern": (0.8, 0.2), "seal": (0.0, 9.0)}
COUNTS = {"gull": 10, "tern": 10, "seal": 1}


def birds():
    rng = random.Random(7)
    return [((wing + rng.gauss(0, 0.05), weight + rng.gauss(0, 0.05)), label)
            for label, (wing, weight) in CENTRES.items() for _ in range(COUNTS[label])]
