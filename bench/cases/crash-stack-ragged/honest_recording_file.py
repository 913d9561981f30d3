"""The recording goes to a file and back, as in the application; then the project cuts and stacks it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import pathlib
import tempfile

import numpy as np

from windows import collate, cut


def write_recording(folder, count=1000):
    path = pathlib.Path(folder) / "recording.npy"
    np.save(path, np.sin(np.linspace(0, 140, count)))
    return path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        signal = np.load(write_recording(folder))
    parts = cut(signal, width=64, hop=16)
    print("lengths", sorted({len(p) for p in parts}), flush=True)
    batch = collate(parts)
    print(f"OBS energy={float(np.mean(batch ** 2)):.4f}")
