"""Forecasts from sliding windows; arrays are nested lists (batch, steps, channels)."""


def shape(nested):
    sizes = []
    while isinstance(nested, list):
        sizes.append(len(nested))
        nested = nested[0]
    return sizes


def windows(series, length):
    """Series (steps, channels) -> windows (count, length, channels)."""
    return [series[i : i + length] for i in range(len(series) - length + 1)]


class LastValue:
    """Repeats the last step of each window for the whole horizon."""

    def __init__(self, horizon):
        self.horizon = horizon

    def predict(self, batch):
        """Batch (n, length, channels) -> forecasts (n, horizon, channels)."""
        out = []
        for window in batch:
            last = window[-1]
            out.append([[value] * self.horizon for value in last])
        return out
