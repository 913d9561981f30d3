"""Five channels and a horizon of five: the forecast has the shape that the docstring says."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from forecast import LastValue, shape, windows
from main import run
from sensors import sensors

if __name__ == "__main__":
    series = sensors(30, 5)
    batch, forecast = run(channels=5, horizon=5)
    errors = []
    for index, steps in enumerate(forecast):
        truth = series[index + 8 : index + 13]
        errors.extend(abs(a - b) for row, seen in zip(steps, truth) for a, b in zip(row, seen))
    print(f"mean error of the last value {sum(errors) / len(errors):.4f}")
    shorter = LastValue(5).predict(windows(series[:12], 8))
    count, steps, channels = shape(forecast)
    print(f"input {shape(batch)} shorter {shape(shorter)}")
    print(f"OBS windows={count} steps={steps} channels={channels} forecast_shape={shape(forecast)}".replace(", ", ","))
