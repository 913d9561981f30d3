"""Fits the head of the classifier on synthetic stripes."""
import argparse

import numpy as np

from model import Classifier


def stripes(count, size, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, count)
    rows, columns = np.indices((size, size))
    patterns = np.stack([rows % 4, columns % 4, (rows + columns) % 4]) / 3
    return patterns[labels] + rng.normal(0, 0.1, (count, size, size)), labels


def train(size, epochs=5, rate=0.01):
    images, labels = stripes(120, size, seed=1)
    model = Classifier(size)
    for epoch in range(epochs):
        scores = model.forward(images)
        p = np.exp(scores - scores.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        print(f"epoch {epoch} loss {-np.log(p[np.arange(len(labels)), labels]).mean():.4f}", flush=True)
        p[np.arange(len(labels)), labels] -= 1
        model.head -= rate * model.features(images).T @ p / len(labels)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--image-size", type=int, default=28)
    train(parser.parse_args().image_size)
