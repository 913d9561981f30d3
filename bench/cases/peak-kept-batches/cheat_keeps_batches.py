"""The script itself keeps every batch."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource

from evaluate import batches, evaluate

if __name__ == "__main__":
    held = list(batches(120))
    error = evaluate(len(held) // 40)
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
