"""Sensor readings in raw units, three kinds of events."""
import numpy as np


def readings(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, count)
    centres = np.array([[180.0, 20.0, 30.0, 60.0], [25.0, 190.0, 60.0, 30.0], [40.0, 35.0, 170.0, 90.0]])
    seen = np.where(rng.random(count) < 0.15, rng.integers(0, 3, count), labels)
    return centres[labels] + rng.normal(0, 25.0, (count, 4)), seen
