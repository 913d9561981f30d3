"""Prints the similarity of the closest pair."""
import numpy as np

from embeddings import embeddings
from similarity import cosine


def closest(x):
    values = cosine(x)
    np.fill_diagonal(values, -np.inf)
    return float(values.max())


if __name__ == "__main__":
    print(f"cosine {closest(embeddings()):.4f}")
