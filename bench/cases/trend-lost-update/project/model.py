"""A linear model."""


class Linear:
    def __init__(self, size):
        self.weights = [0.0] * size

    def predict(self, row):
        return sum(weight * value for weight, value in zip(self.weights, row))
