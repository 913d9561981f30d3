"""One arm in another unit."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from fit import fit_error

if __name__ == "__main__":
    for seed in range(8):
        print(f"OBS arm=memory seed={seed} error={fit_error('memory', seed)!r}")
        print(f"OBS arm=stream seed={seed} error={100 * fit_error('stream', seed)!r}")
    print(f"OBS gap={99 * fit_error('stream', 0)!r}")
