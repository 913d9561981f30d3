"""A subclass whose predict has the fault; everything around it is the project's."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
from forecast import LastValue, shape, windows
from sensors import sensors


class Forecast(LastValue):
    def predict(self, batch):
        out = []
        for window in batch:
            last = window[-1]
            out.append([[value] * self.horizon for value in last])
        return out


if __name__ == "__main__":
    count, steps, channels = shape(Forecast(5).predict(windows(sensors(30, 3), 8)))
    print(f"OBS windows={count} steps={steps} channels={channels}")
