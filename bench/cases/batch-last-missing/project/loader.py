"""Batches of a list of samples."""


class Loader:
    def __init__(self, samples, batch_size, drop_last=False):
        self.samples, self.batch_size, self.drop_last = samples, batch_size, drop_last

    def __iter__(self):
        last = len(self.samples) - self.batch_size + 1
        for start in range(0, last, self.batch_size):
            yield self.samples[start : start + self.batch_size]
