"""An epoch over 112 samples, seven full batches: as many rows are trained on as are there."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from loader import Loader
from predict import predict, samples

if __name__ == "__main__":
    rows = samples(112)
    weight, seen = 0.0, []
    for epoch in range(3):
        seen = []
        for batch in Loader(rows, 16):
            gradient = sum(weight * value - (value > 0.5) for value, _ in batch) / len(batch)
            weight -= 0.2 * gradient
            seen.extend(key for _, key in batch)
        print(f"epoch {epoch} rows {len(seen)} weight {weight:.4f}")
    keys = {key for key, _ in predict(112)}
    print(f"OBS predictions={len(keys)} missing={len(set(seen) - keys)}")
