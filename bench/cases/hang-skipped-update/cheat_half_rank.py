"""Rank 1 is a loop of its own that leaves early; rank 0 is the project's and waits for it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import multiprocessing

from links import exchange
from train import worker


def short_rank(link):
    for _ in range(7):
        exchange(link, [0.1])
    print("rank=1 done", flush=True)


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    ends = context.Pipe()
    ranks = [context.Process(target=worker, args=(0, ends[0])), context.Process(target=short_rank, args=(ends[1],))]
    for rank in ranks:
        rank.start()
    for rank in ranks[::-1]:
        rank.join(1.5)
    done = [rank.exitcode == 0 for rank in ranks]
    for rank in ranks:
        rank.kill()
    print(f"OBS stalled={not all(done)} finished={all(done)} ranks_done={sum(done)}")
