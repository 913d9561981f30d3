"""Loudness and pitch of a few sounds; some of them nobody has labelled."""
import random

CENTRES = {"background": (0.1, 0.2), "engine": (0.6, 0.3), "alarm": (0.8, 0.9)}


def sounds(seed, per_label=12):
    rng = random.Random(seed)
    rows = []
    for label, (loudness, pitch) in CENTRES.items():
        for number in range(per_label):
            features = (loudness + rng.uniform(-0.1, 0.1), pitch + rng.uniform(-0.1, 0.1))
            rows.append((features, None if number == 0 else label))
    rng.shuffle(rows)
    return rows
