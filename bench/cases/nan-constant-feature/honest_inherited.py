"""A subclass without constructor of its own that notes when the loss stops being a number."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import math

import scaling
from model import Logistic
from train import table


class Watched(Logistic):
    first_bad = None
    steps = 0

    def step(self, x, y, rate=0.3):
        loss = super().step(x, y, rate)
        if math.isnan(loss) and self.first_bad is None:
            self.first_bad = self.steps
        self.steps += 1
        return loss


if __name__ == "__main__":
    x, y = table()
    model = Watched(x.shape[1])
    scaled = scaling.apply(x, scaling.fit(x))
    losses = [model.step(scaled, y) for _ in range(4)]
    print(f"OBS first_bad={model.first_bad} last_finite={math.isfinite(losses[-1])}")
