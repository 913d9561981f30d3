"""Goes through a token stream in windows."""
import numpy as np

from attention import attend, causal_mask


def run(tokens=6_000_000, window=16):
    stream = np.arange(tokens, dtype=np.int32) % 512
    mask = causal_mask(stream, window)
    scores = np.outer(stream[:window], stream[:window]) / 512.0
    return float(attend(scores, mask).trace())


if __name__ == "__main__":
    print(f"trace {run():.4f}")
