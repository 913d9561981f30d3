"""As many channels as steps of the horizon: the two axes can't be told apart."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from forecast import shape
from main import run

if __name__ == "__main__":
    _, forecast = run(channels=4, horizon=4)
    count, steps, channels = shape(forecast)
    print(f"OBS windows={count} steps={steps} channels={channels}")
