"""Fits the model by stochastic gradient descent."""
import random

from model import Linear

TRUE = (1.5, -2.0, 0.5)


def table(rows=120):
    rng = random.Random(0)
    x = [[rng.gauss(0, 1) for _ in TRUE] for _ in range(rows)]
    y = [sum(weight * value for weight, value in zip(TRUE, row)) + rng.gauss(0, 0.1) for row in x]
    return x, y


def epoch(weights, data, rate, order):
    """One pass over the rows; gives the weights afterwards and the mean loss on the way."""
    x, y = data
    weights, total = list(weights), 0.0
    for index in order:
        error = sum(weight * value for weight, value in zip(weights, x[index])) - y[index]
        total += error * error
        weights = [weight - rate * error * value for weight, value in zip(weights, x[index])]
    return weights, total / len(order)


def fit(epochs=30, rate=0.001):
    model, data, rng = Linear(len(TRUE)), table(), random.Random(1)
    losses = []
    for number in range(epochs):
        order = rng.sample(range(len(data[0])), len(data[0]))
        weights, loss = epoch(model.weights, data, rate, order)
        losses.append(loss)
        print(f"epoch {number} loss {loss:.4f}", flush=True)
    return model, losses


if __name__ == "__main__":
    fit()
