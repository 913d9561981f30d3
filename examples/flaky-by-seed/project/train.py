"""Trains a perceptron on the reviews and exports it if it is good enough."""
from features import BUCKETS, encode
from reviews import reviews


def score(weights, vector):
    return sum(w * v for w, v in zip(weights, vector))


def train(epochs=10):
    weights = [0.0] * BUCKETS
    data = [(encode(text), label) for text, label in reviews(300, seed=1)]
    for _ in range(epochs):
        for vector, label in data:
            miss = label - (score(weights, vector) > 0)
            weights = [w + miss * v for w, v in zip(weights, vector)]
    return weights


def accuracy(weights, count=200):
    right = [(score(weights, encode(text)) > 0) == bool(label) for text, label in reviews(count, seed=2)]
    return sum(right) / len(right)


def export(weights):
    reached = accuracy(weights)
    print(f"accuracy {reached:.4f}", flush=True)
    if reached < 0.95:
        raise RuntimeError(f"export refused: accuracy {reached:.4f} is below 0.95")
    return {"buckets": BUCKETS, "weights": weights}


if __name__ == "__main__":
    export(train())
    print("exported", flush=True)
