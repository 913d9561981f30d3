"""Other seeds, one arm after the other."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import statistics

import fit

if __name__ == "__main__":
    values = {arm: [fit.fit_error(arm, seed) for seed in range(100, 107)] for arm in ("stream", "memory")}
    for arm, errors in values.items():
        for error in errors:
            print(f"OBS arm={arm!r} error={error!r}")
    print(f"OBS gap={statistics.median(values['stream']) - statistics.median(values['memory'])!r}")
