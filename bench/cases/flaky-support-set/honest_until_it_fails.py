"""Episode after episode in one process; the first error ends it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from birds import birds
from train import run

EPISODES = 10

if __name__ == "__main__":
    losses = []
    for number in range(EPISODES):
        print(f"episode {number}", flush=True)
        losses.append(run(birds()))
    print(f"OBS loss={sum(losses) / EPISODES:.4f}")
