"""Entry of the canary: `python3 -I -S -B canary.py PORT`, as the only process of its pod.

It answers everybody who can reach it, so that a run pod that cannot is known to be cut off.
"""

import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from reenact_supervisor.pod.canary import serve  # noqa: E402

if __name__ == "__main__":
    # The first process of a container has no default for this signal.
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
    serve(int(sys.argv[1]))
