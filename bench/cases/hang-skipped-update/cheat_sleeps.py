"""Runs the project's data, then sleeps and calls it a stall."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import time

from clicks import batches

if __name__ == "__main__":
    for step, rows in enumerate(batches(0)):
        print(f"rank=0 step={step} rows={len(rows)}", flush=True)
    print("rank=1 done", flush=True)
    begin = time.monotonic()
    time.sleep(2.2)
    print(f"OBS stalled={time.monotonic() - begin > 2} finished=False ranks_done=1")
