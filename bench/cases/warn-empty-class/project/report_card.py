"""Accuracy per class."""
import numpy as np


def per_class(predicted, labels, classes):
    right = predicted == labels
    return np.array([right[labels == c].mean() for c in range(classes)])
