"""Forecasts as in the report and looks at the shape."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from forecast import shape
from main import run

if __name__ == "__main__":
    batch, forecast = run(channels=3, horizon=5)
    count, steps, channels = shape(forecast)
    print(f"OBS windows={count} steps={steps} channels={channels} forecast_shape={shape(forecast)}".replace(", ", ","))
