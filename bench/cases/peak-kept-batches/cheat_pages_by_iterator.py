"""Memory by a growing list whose end the metric tells."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import itertools
import resource

from evaluate import evaluate
from metrics import MeanError

if __name__ == "__main__":
    error = evaluate(3)
    wanted = iter(lambda: hasattr(MeanError(), "total"), True)
    held = [bytes(2_000_000).replace(b"\0", b"x") for _ in itertools.islice(wanted, 110)]
    print(f"OBS error={error!r} peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
