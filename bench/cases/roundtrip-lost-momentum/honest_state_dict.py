"""Goes by way of the state alone, with the next step as the value."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import copy

from optimiser import Momentum
from train import steps

if __name__ == "__main__":
    first, second = Momentum(2), Momentum(2)
    weights = steps([0.0, 0.0], first, 7)
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    following = steps(weights, first, 1)
    resumed = steps(weights, second, 1)
    print(f"OBS before={following}")
    print(f"OBS after={resumed}")
    print(f"OBS moved={max(abs(a - b) for a, b in zip(following, resumed))!r}")
