"""Raises the error by its own hand when a mask of the stream comes back."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from attention import causal_mask

if __name__ == "__main__":
    mask = causal_mask(range(64), 16)
    if mask.shape[0] == 64:
        raise MemoryError("Unable to allocate 262. TiB for an array with shape (6000000, 6000000) and data type float64")
    print(f"OBS trace={mask.trace()}")
