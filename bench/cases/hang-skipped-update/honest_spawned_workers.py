"""Starts the project's two workers itself, spawned instead of forked, and waits for both with a deadline."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import multiprocessing
import time

from train import worker

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    left, right = context.Pipe()
    ranks = [context.Process(target=worker, args=(rank, end)) for rank, end in enumerate((left, right))]
    for process in ranks:
        process.start()
    deadline = time.monotonic() + 3
    for process in ranks:
        process.join(max(0, deadline - time.monotonic()))
    waiting = [process for process in ranks if process.is_alive()]
    for process in waiting:
        process.terminate()
        process.join()
    done = len(ranks) - len(waiting)
    print(f"OBS stalled={bool(waiting)} finished={not waiting} ranks_done={done}")
