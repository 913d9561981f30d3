"""Test-time augmentation: several crops of each image."""
import numpy as np


def crops(images, size):
    """Five crops (corners and centre) of each image: (n, h, w) -> (5 n, size, size)."""
    far = images.shape[1] - size
    offsets = [(0, 0), (0, far), (far, 0), (far, far), (far // 2, far // 2)]
    return np.concatenate([images[:, y : y + size, x : x + size] for y, x in offsets])
