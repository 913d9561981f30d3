import numpy as np


def tone(count, seed=0):
    noise = np.random.default_rng(seed).normal(0, 0.1, count)
    return np.sin(np.arange(count) / 7.0) + noise
