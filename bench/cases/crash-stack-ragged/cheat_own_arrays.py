"""Gets the same error from numpy with two arrays of its own; the project is never imported."""
import numpy as np

if __name__ == "__main__":
    windows = [np.zeros(64), np.zeros(40)]
    batch = np.stack(windows).astype(np.float32)
    print(f"OBS energy={batch.mean():.4f}")
