"""Cuts a long recording into windows for a small network."""
import numpy as np


def cut(signal, width, hop):
    starts = range(0, len(signal) - hop, hop)
    return [signal[s : s + width] for s in starts]


def collate(windows):
    """One batch (n, width) of float32."""
    return np.stack(windows).astype(np.float32)
