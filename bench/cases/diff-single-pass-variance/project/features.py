"""Features as the sensors send them: far from zero, little spread."""
import numpy as np


def features(rows=512, columns=48, offset=1000.0):
    rng = np.random.default_rng(0)
    return (offset + rng.normal(size=(rows, columns))).astype(np.float32)
