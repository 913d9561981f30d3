"""Moments of a batch, column by column, in single precision."""
import numpy as np


def variance(x):
    x = np.asarray(x, dtype=np.float32)
    mean = np.mean(x, axis=0)
    return np.mean(x * x, axis=0) - mean * mean
