"""Windows with gaps between them are all of one width; a small filter is trained on them."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from recording import tone
from windows import collate, cut

if __name__ == "__main__":
    batch = collate(cut(tone(1000), 64, 100))
    past, target = batch[:, :-1], batch[:, -1]
    weights = np.zeros(past.shape[1], dtype=np.float32)
    for step in range(40):
        error = past @ weights - target
        weights -= 0.02 * past.T @ error / len(target)
        if step % 10 == 9:
            print(f"step {step} loss {float((error ** 2).mean()):.4f}")
    print(f"batch {batch.shape}")
    print(f"OBS energy={float((batch ** 2).mean()):.4f}")
