"""Entry of the supervisor in a pod: `python3 -I -S -B pod.py /in/run.json`, as PID 1 of the container.

Standard output carries frames and nothing else (`reenact_supervisor/pod/frames.py`); the exit status tells what the
supervisor made of its own task (`reenact_supervisor/pod/execution.py`), never what became of the script.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from reenact_supervisor.pod.execution import execute  # noqa: E402

if __name__ == "__main__":
    sys.exit(execute(sys.argv[1]))
