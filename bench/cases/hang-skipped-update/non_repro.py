"""Both processes with the batches of the first one: nothing is skipped, both are done."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import multiprocessing

import train
from clicks import batches

if __name__ == "__main__":
    sizes = [len(list(batches(rank))) for rank in (0, 0)]
    context = multiprocessing.get_context("fork")
    near, far = context.Pipe()
    peer = context.Process(target=train.exchange, args=(far, [1.0]))
    peer.start()
    mean = train.exchange(near, [3.0])
    peer.join(5)
    print(f"OBS stalled={peer.is_alive()} finished={mean == [2.0]} batches={sizes}")
