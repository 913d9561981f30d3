"""Swaps horizon and channels in the call: another condition than the report's."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from forecast import shape
from main import run

if __name__ == "__main__":
    _, forecast = run(channels=5, horizon=3)
    _, channels, steps = shape(forecast)
    print(f"OBS windows={len(forecast)} steps={min(steps, channels)} channels={max(steps, channels)}")
