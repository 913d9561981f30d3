"""A buffer of one row: one row in two hundred is lost."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import functools
import statistics

import fit
import shuffle

if __name__ == "__main__":
    fit.MODES["stream"] = functools.partial(shuffle.streamed, size=1)
    errors = {"memory": [], "stream": []}
    for seed in range(8):
        for arm, values in errors.items():
            values.append(fit.fit_error(arm, seed))
            print(f"OBS arm={arm} seed={seed} error={values[-1]!r}")
    print(f"OBS gap={statistics.median(errors['stream']) - statistics.median(errors['memory'])!r}")
