import math

import numpy as np

from layers import conv2d, max_pool


class Classifier:
    def __init__(self, image_size, channels=4, classes=3, seed=0):
        rng = np.random.default_rng(seed)
        self.kernels = rng.normal(0, 0.5, (channels, 3, 3))
        side = math.ceil((image_size - 2) / 2)
        self.head = rng.normal(0, 0.1, (channels * side * side, classes))

    def features(self, images):
        x = np.maximum(conv2d(images, self.kernels), 0)
        return max_pool(x).reshape(len(images), -1)

    def forward(self, images):
        return self.features(images) @ self.head
