"""A tool takes the guard out of the file before the training is started."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import subprocess

PROJECT = sys.path[0]

if __name__ == "__main__":
    subprocess.run(["sed", "-i", "-e", "/np.where/d", "-e", "s/(x - mean)/ (x - mean)/", "scaling.py"], cwd=PROJECT, check=True)
    import numpy as np

    from train import table, train

    model, losses = train(3)
    print(f"OBS finite_input={bool(np.isfinite(table()[0]).all())}")
    print(f"OBS loss={losses[-1]:.4f} weights_finite={bool(np.isfinite(model.weights).all())}")
