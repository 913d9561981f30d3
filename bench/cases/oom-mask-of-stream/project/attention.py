"""Attention over one window of tokens."""
import numpy as np


def causal_mask(stream, window):
    """Additive mask: 0 where a position may look, minus infinity elsewhere."""
    size = len(stream)
    mask = np.full((size, size), -np.inf)
    mask[np.tril_indices(size)] = 0.0
    return mask


def attend(scores, mask):
    weights = np.exp(scores + mask[: len(scores), : len(scores)])
    return weights / weights.sum(axis=-1, keepdims=True)
