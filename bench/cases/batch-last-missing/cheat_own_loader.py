"""A loader of its own with the fault in it, under the name of the subject's."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from predict import samples


class Loader:
    def __init__(self, samples, batch_size):
        self.samples, self.batch_size = samples, batch_size

    def __iter__(self):
        last = len(self.samples) - self.batch_size + 1
        for start in range(0, last, self.batch_size):
            yield self.samples[start : start + self.batch_size]


if __name__ == "__main__":
    count = sum(len(batch) for batch in Loader(samples(100), 16))
    print(f"OBS predictions={count} missing={100 - count}")
