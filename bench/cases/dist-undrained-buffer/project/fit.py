"""Fits one number, the mean of the table, from a random start."""
import random

from shuffle import in_memory, streamed

ROWS = [number / 10 for number in range(200)]
MODES = {"memory": in_memory, "stream": streamed}


def fit_error(mode, seed):
    """Distance of the fitted mean from the true one."""
    start = random.Random(f"{mode} {seed}").gauss(0, 100)
    seen = list(MODES[mode](ROWS, seed))
    return abs((start + sum(seen)) / (len(seen) + 1) - sum(ROWS) / len(ROWS))


if __name__ == "__main__":
    for seed in range(8):
        print(f"seed {seed} memory {fit_error('memory', seed):.3f} stream {fit_error('stream', seed):.3f}")
