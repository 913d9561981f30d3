import numpy as np
from windows import collate, cut
# pasted into `python -`: no functions, several seeds, the widths of the report
total = 0.0
for seed in range(3):
    noise = np.random.default_rng(seed).normal(size=400)
    pieces = cut(noise, 64, 16)
    print("seed", seed, "pieces", len(pieces), "last", len(pieces[-1]), flush=True)
    batch = collate(pieces)
    assert batch.shape[1] == 64
    total += float((batch ** 2).sum())
print(f"OBS energy={total:.4f}")
