"""Fits a line with two worker processes that average their parameters after each epoch."""
import multiprocessing

from averaging import Averager
from shard import rows

WORKERS = 2


def epoch_step(data, slope, offset, rate):
    total = 0.0
    for x, y in data:
        error = slope * x + offset - y
        total += error * error
        slope -= rate * error * x
        offset -= rate * error
    return total / len(data), slope, offset


def worker(rank, barrier, slots, epochs, patience_loss):
    averager = Averager(barrier, slots, rank, WORKERS)
    data = rows(rank, WORKERS)
    slope = offset = 0.0
    for epoch in range(epochs):
        loss, slope, offset = epoch_step(data, slope, offset, rate=0.05)
        print(f"rank={rank} epoch={epoch} loss={loss:.4f}", flush=True)
        if loss < patience_loss:
            print(f"rank={rank} stops early in epoch {epoch}", flush=True)
            break
        slope, offset = averager.average([slope, offset])
    print(f"rank={rank} done", flush=True)


def main(epochs=6, patience_loss=0.01):
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(WORKERS)
    slots = context.Array("d", WORKERS * 2)
    workers = [context.Process(target=worker, args=(r, barrier, slots, epochs, patience_loss)) for r in range(WORKERS)]
    for process in workers:
        process.start()
    for process in workers:
        process.join()
    print("training finished", flush=True)


if __name__ == "__main__":
    main()
