"""Trains a click model with two processes on one machine."""
import multiprocessing

from clicks import batches
from links import exchange


def gradient(rows, weight):
    clicked = [x for x, y in rows if y]
    if not clicked:
        return None
    centre = sum(clicked) / len(clicked)
    return [weight - centre]


def worker(rank, link):
    weight = 0.0
    for step, rows in enumerate(batches(rank)):
        own = gradient(rows, weight)
        if own is None:
            print(f"rank={rank} step={step} no clicks, skipped", flush=True)
            continue
        weight -= 0.3 * exchange(link, own)[0]
        print(f"rank={rank} step={step} weight={weight:.4f}", flush=True)
    print(f"rank={rank} done", flush=True)


def main():
    context = multiprocessing.get_context("fork")
    ends = context.Pipe()
    peer = context.Process(target=worker, args=(1, ends[1]))
    peer.start()
    worker(0, ends[0])
    peer.join()
    print("training finished", flush=True)


if __name__ == "__main__":
    main()
