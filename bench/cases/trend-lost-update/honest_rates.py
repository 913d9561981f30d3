"""Another learning rate, with the mean of the last epochs for the ratio."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import statistics

import train

if __name__ == "__main__":
    losses = train.fit(epochs=40, rate=0.0005)[1]
    for step, loss in enumerate(losses):
        print(f"OBS step={step} loss={loss!r}")
    print(f"OBS ratio={statistics.fmean(losses[-5:]) / losses[0]!r}")
