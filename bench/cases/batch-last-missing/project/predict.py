"""Predicts a label for every sample."""
from loader import Loader


def samples(count):
    return [((i * 37) % 100 / 100, i) for i in range(count)]


def predict(count=100, batch_size=16):
    out = []
    for batch in Loader(samples(count), batch_size):
        out.extend((key, int(value > 0.5)) for value, key in batch)
    return out


if __name__ == "__main__":
    print(f"samples 100 predictions {len(predict())}")
