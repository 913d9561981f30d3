"""Three seeds four times each, in one process: losses differ between the seeds and agree within each."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import train
from vocabulary import vocabulary

if __name__ == "__main__":
    print(f"words {len(vocabulary())}")
    found = {}
    for turn in range(4):
        for seed in (7, 8, 9):
            loss = train(seed)
            found.setdefault(seed, []).append(loss)
            print(f"turn {turn} seed {seed} loss {loss:.6f}")
    for loss in found[7]:
        print(f"OBS seed=7 loss={loss!r}")
    between = len({loss for losses in found.values() for loss in losses})
    print(f"OBS distinct={max(len(set(losses)) for losses in found.values())} between_seeds={between}")
