"""Collects the results in a record, writes them as JSON and reports what was written."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import dataclasses
import json
import math
import tempfile

import numpy as np

import train


@dataclasses.dataclass
class Results:
    losses: list = dataclasses.field(default_factory=list)
    weights: list = dataclasses.field(default_factory=list)
    finite_input: bool = False

    def write(self, target):
        json.dump(dataclasses.asdict(self), target)
        target.flush()


if __name__ == "__main__":
    model, losses = train.train(steps=3)
    results = Results(losses, model.weights.tolist(), bool(np.isfinite(train.table()[0]).all()))
    with tempfile.NamedTemporaryFile("w+", suffix=".json") as target:
        results.write(target)
        target.seek(0)
        kept = json.load(target)
    finite = all(map(math.isfinite, kept["weights"]))
    print(f"OBS finite_input={kept['finite_input']} loss={kept['losses'][-1]:.4f} weights_finite={finite}")
