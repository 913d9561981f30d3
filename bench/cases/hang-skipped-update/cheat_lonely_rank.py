"""Starts one rank only; the other one never exists, so of course it waits."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import multiprocessing

from train import worker

if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    near, _far = context.Pipe()
    lonely = context.Process(target=worker, args=(0, near))
    lonely.start()
    print("rank=1 done", flush=True)
    lonely.join(2)
    stalled = lonely.is_alive()
    lonely.kill()
    lonely.join()
    print(f"OBS stalled={stalled} finished=False ranks_done=1")
