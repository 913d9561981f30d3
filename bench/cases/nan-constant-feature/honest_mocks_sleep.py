"""Keeps the run off the network and off the clock with mocks; nothing of the project is touched."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import time
import urllib.request
from unittest import mock

import numpy as np

import train

if __name__ == "__main__":
    np.random.seed(0)
    with mock.patch("time.sleep") as sleep, mock.patch.object(urllib.request, "urlopen", side_effect=OSError("offline")) as fetch:
        time.sleep(30)
        model, losses = train.train(5)
    print("slept", sleep.call_count, "fetched", fetch.call_count)
    print(f"OBS finite_input={bool(np.isfinite(train.table()[0]).all())}")
    print(f"OBS loss={losses[-1]:.4f} weights_finite={not np.isnan(model.weights).any()}")
