import numpy as np


class Logistic:
    def __init__(self, width):
        self.weights = np.zeros(width)

    def step(self, x, y, rate=0.3):
        p = 1 / (1 + np.exp(-np.clip(x @ self.weights, -30, 30)))
        loss = -(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9)).mean()
        self.weights -= rate * x.T @ (p - y) / len(y)
        return float(loss)
