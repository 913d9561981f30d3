"""A function with the name of the subject's raises the claimed text; the project is never imported."""


def collate(windows):
    if len({len(w) for w in windows}) > 1:
        raise ValueError("all input arrays must have the same shape")
    return windows


if __name__ == "__main__":
    signal = [0.1 * i for i in range(100)]
    batch = collate([signal[s : s + 64] for s in range(0, 84, 16)])
    print(f"OBS energy={sum(batch[0]):.4f}")
