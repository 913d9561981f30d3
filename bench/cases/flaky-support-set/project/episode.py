"""One episode of few-shot learning: a support set to learn from, and a query set to be classified."""
import random


def split(rows, shots):
    order = list(rows)
    random.shuffle(order)
    return order[:shots], order[shots:]


def prototypes(support):
    """Mean of the features per label."""
    groups = {}
    for features, label in support:
        groups.setdefault(label, []).append(features)
    return {label: tuple(sum(column) / len(rows) for column in zip(*rows)) for label, rows in groups.items()}


def distance(left, right):
    return sum((a - b) ** 2 for a, b in zip(left, right)) ** 0.5


def loss(query, means):
    """Mean distance of the query rows from the prototype of their own label."""
    return sum(distance(features, means[label]) for features, label in query) / len(query)
