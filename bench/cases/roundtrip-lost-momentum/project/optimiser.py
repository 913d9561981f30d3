"""Gradient descent with momentum."""


class Momentum:
    def __init__(self, size, rate=0.1, decay=0.9):
        self.rate, self.decay, self.velocity = rate, decay, [0.0] * size

    def step(self, weights, gradient):
        self.velocity = [self.decay * v + g for v, g in zip(self.velocity, gradient)]
        return [w - self.rate * v for w, v in zip(weights, self.velocity)]

    def state_dict(self):
        return {"rate": self.rate, "decay": self.decay, "velocity": self.velocity}

    def load_state_dict(self, state):
        self.rate, self.decay = state["rate"], state["decay"]
        self.velocity = [0.0] * len(state["velocity"])
