"""Two healthy batches of different width are joined: a ValueError of NumPy about shapes, but another one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from recording import tone
from windows import collate, cut

if __name__ == "__main__":
    signal = tone(1000)
    wide = collate(cut(signal, 64, 64))
    narrow = collate(cut(signal, 32, 32))
    for name, batch in (("wide", wide), ("narrow", narrow)):
        print(f"{name} batch {batch.shape} energy {float((batch ** 2).mean()):.4f}", flush=True)
    means = [float(batch.mean()) for batch in (wide, narrow)]
    print(f"means {means[0]:.4f} {means[1]:.4f}", flush=True)
    both = np.concatenate([wide - means[0], narrow - means[1]])
    print(f"OBS energy={float((both ** 2).mean()):.4f}")
