"""Accuracy of a linear classifier over crops."""
import numpy as np

from crops import crops


def accuracy(weights, images, labels, size, batch=32):
    correct = 0
    for start in range(0, len(images), batch):
        views = crops(images[start : start + batch], size)
        predicted = (views.reshape(len(views), -1) @ weights).argmax(1)
        correct += (predicted == np.tile(labels[start : start + batch], 5)).sum()
    return correct / len(images)
