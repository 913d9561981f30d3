"""Three ranks; one line per rank and step."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from hub import train

if __name__ == "__main__":
    history = train()
    for step, weights in enumerate(history):
        for rank, weight in enumerate(weights):
            print(f"OBS rank={rank} step={step} weight={weight!r}")
    print(f"OBS spread={max(max(weights) - min(weights) for weights in history)!r}")
