"""Metrics over batches."""


class MeanError:
    """Mean of prediction minus target over all that was seen."""

    def __init__(self):
        self.batches = []

    def update(self, predictions, targets):
        self.batches.append((predictions, targets))

    def value(self):
        count = sum(len(targets) for _, targets in self.batches)
        return sum(sum(predictions) - sum(targets) for predictions, targets in self.batches) / count
