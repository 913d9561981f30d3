"""Ten seals beside the gulls and terns: each label is among twenty shots in practically every start."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from birds import birds
from episode import loss, prototypes, split

if __name__ == "__main__":
    rows = birds()
    (wing, weight), _ = rows[-1]
    rows += [((wing + 0.01 * number, weight - 0.01 * number), "seal") for number in range(1, 20)]
    losses = []
    for number in range(5):
        support, query = split(rows, 24)
        means = prototypes(support)
        losses.append(loss(query, means))
        labels = sorted(means)
        print(f"episode {number} labels {' '.join(labels)} loss {losses[-1]:.4f}", flush=True)
    print(f"OBS loss={sum(losses) / len(losses):.4f}")
