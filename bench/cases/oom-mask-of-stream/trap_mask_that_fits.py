"""A stream of three thousand tokens: the mask takes 72 MB, which is a lot and fits."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from attention import attend, causal_mask
from train import run

if __name__ == "__main__":
    traces = {}
    for tokens in (300, 1000, 3000):
        traces[tokens] = run(tokens=tokens)
        print(f"tokens {tokens} trace {traces[tokens]:.4f}", flush=True)
    mask = causal_mask(np.arange(3000, dtype=np.int32), 16)
    weights = attend(np.zeros((16, 16)), mask)
    print(f"mask {mask.nbytes / 1e6:.1f} MB, rows add up to {weights.sum(axis=-1).min():.3f}", flush=True)
    assert len(set(traces.values())) == 1, traces
    print(f"OBS trace={traces[3000]!r}")
