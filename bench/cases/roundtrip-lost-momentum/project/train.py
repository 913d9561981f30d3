"""Trains two weights, with checkpoints."""
import json

from optimiser import Momentum


def steps(weights, optimiser, count):
    for _ in range(count):
        weights = optimiser.step(weights, [2 * (weights[0] - 1), 0.4 * (weights[1] + 2)])
    return weights


def save(path, weights, optimiser):
    with open(path, "w") as handle:
        json.dump({"weights": weights, "optimiser": optimiser.state_dict()}, handle)


def load(path):
    with open(path) as handle:
        state = json.load(handle)
    optimiser = Momentum(len(state["weights"]))
    optimiser.load_state_dict(state["optimiser"])
    return state["weights"], optimiser
