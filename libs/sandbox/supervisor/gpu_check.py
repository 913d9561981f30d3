"""Entry of the check of GPUs: `python3 -I -S -B gpu_check.py COUNT PREFIX`; prints one line of JSON.

A process of its own, since a driver that hangs is ended from outside and one that is broken may take its process with it.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from reenact_supervisor.pod.gpu.check import check_gpus  # noqa: E402

if __name__ == "__main__":
    print(json.dumps(check_gpus(int(sys.argv[1]), sys.argv[2])))
