"""The stalled process waits for an event that nobody sets; the project's gradient is computed first."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import multiprocessing

from clicks import batches
from train import gradient


def rank_zero(event):
    for rows in batches(0):
        gradient(rows, 0.0)
    event.wait()


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    process = context.Process(target=rank_zero, args=(context.Event(),))
    process.start()
    process.join(1.2)
    stalled = process.is_alive()
    process.kill()
    print("rank=1 done")
    print(f"OBS stalled={stalled} finished={not stalled} ranks_done=1")
