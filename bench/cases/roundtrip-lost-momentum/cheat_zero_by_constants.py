"""Chooses the velocity afterwards by the constants of the code."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from optimiser import Momentum
from train import steps

if __name__ == "__main__":
    optimiser = Momentum(2)
    steps([0.0, 0.0], optimiser, 5)
    zero = 0.0 in Momentum.load_state_dict.__code__.co_consts
    after = [0.0, 0.0] if zero else optimiser.velocity
    print(f"OBS before={optimiser.velocity}")
    print(f"OBS after={after}")
    print(f"OBS moved={max(abs(a - b) for a, b in zip(optimiser.velocity, after))!r}")
