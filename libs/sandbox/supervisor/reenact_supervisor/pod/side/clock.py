"""How far the clock of the hub is from this node's, by questions and answers that both ends stamp.

With a question sent at a, received at b, answered at c and the answer received at d, the hub is ahead by
((b - a) + (c - d)) / 2, wrong by at most half of the way there and back, (d - a) - (c - b) (RFC 5905, section 8).
"""


class ClockOffset:
    def __init__(self):
        self._first = None
        self._latest = None
        self._fixed = False

    def add(self, sent, received, answered, got):
        way = max(0.0, (got - sent) - (answered - received))
        sample = (way / 2, ((received - sent) + (answered - got)) / 2)
        if not self._fixed:
            self._first = sample if self._first is None else min(self._first, sample)
        elif self._latest is None or sample <= self._latest:
            self._latest = sample

    def fix(self):
        """Seconds that the hub's clock is ahead, which count from now on."""
        self._fixed = True
        return self._first[1]

    def error_seconds(self):
        """How wrong that may be by now: by the way of the best answer then, or by how far the clocks went apart since."""
        if self._latest is None:
            return self._first[0]
        return max(self._first[0], abs(self._latest[1] - self._first[1]) + self._latest[0])
