"""Two ways to shuffle."""
import random


def in_memory(rows, seed):
    rows = list(rows)
    random.Random(seed).shuffle(rows)
    return rows


def streamed(rows, seed, size=80):
    """Shuffles a stream by a buffer of `size` rows."""
    rng, buffer = random.Random(seed), []
    rows = iter(rows)
    for row in rows:
        if len(buffer) < size:
            buffer.append(row)
            continue
        at = rng.randrange(size)
        yield buffer[at]
        buffer[at] = row
