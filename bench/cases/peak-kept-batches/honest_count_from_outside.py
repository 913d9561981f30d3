"""The number of batches comes from the environment; as in the report otherwise."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource

from evaluate import evaluate

if __name__ == "__main__":
    count = int(os.environ.get("BATCHES") or 60)
    errors = [evaluate(count)]
    error = errors[0] if len(errors) == 1 else max(errors)
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
