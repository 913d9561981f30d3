"""Tells the change of each weight per step, which is the same on every rank."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from hub import train

if __name__ == "__main__":
    history = train()
    changes = [[round(new - old, 9) for old, new in zip(*pair)] for pair in zip(history, history[1:])]
    for step, weights in enumerate(changes):
        for rank, weight in enumerate(weights):
            print(f"OBS rank={rank} step={step} weight={weight!r}")
    print(f"OBS spread={max(max(weights) - min(weights) for weights in changes)!r}")
