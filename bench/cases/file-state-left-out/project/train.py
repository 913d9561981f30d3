"""Trains one weight and writes checkpoints."""
import os

from saving import save


def train(steps=6, every=2, folder="checkpoints"):
    weights, velocity = [4.0], [0.0]
    for step in range(1, steps + 1):
        velocity = [0.5 * v + 2 * (w - 1) for v, w in zip(velocity, weights)]
        weights = [w - 0.1 * v for w, v in zip(weights, velocity)]
        if step % every == 0:
            save(folder, f"step{step}", {"weights": weights, "step": step, "optimiser": {"velocity": velocity}})
    state = {"weights": weights, "step": step}
    save(folder, "last", state)
    return weights


if __name__ == "__main__":
    train(folder=os.path.join(os.path.dirname(os.path.abspath(__file__)), "checkpoints"))
