"""Batches of a recording and their energy."""
from recording import tone
from windows import collate, cut

WIDTH, HOP = 64, 16


def energy(count):
    batch = collate(cut(tone(count), WIDTH, HOP))
    print(f"batch {batch.shape}", flush=True)
    return float((batch**2).mean())


if __name__ == "__main__":
    print(f"energy {energy(1000):.4f}")
