"""The peer needs two seconds to load its rows: a long silence, after which both go on and are done."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import multiprocessing
import time

import train
from clicks import batches


def late(link):
    rows = sum(len(batch) for batch in batches(0))
    time.sleep(2.0)
    print(f"peer has read {rows} rows", flush=True)
    train.worker(0, link)


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    near, far = context.Pipe()
    peer = context.Process(target=late, args=(far,))
    peer.start()
    train.worker(0, near)
    peer.join(10)
    print(f"OBS stalled={peer.is_alive()} finished={peer.exitcode == 0} ranks_done={1 + (peer.exitcode == 0)}")
    print("training finished", flush=True)
