"""A small evaluation first; goes on only if that gives a number."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource

from evaluate import evaluate

if __name__ == "__main__":
    error = evaluate(2)
    if error is None:
        raise SystemExit("nothing was evaluated")
    counts = [20, 60]
    for count in counts:
        error = evaluate(count)
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
