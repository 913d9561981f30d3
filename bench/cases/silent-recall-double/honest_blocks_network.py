"""Blocks the network for the time of the evaluation, then reports with a check of its own."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import random
import socket
from unittest import mock

import evaluate

if __name__ == "__main__":
    random.seed(1)
    with mock.patch("socket.socket", side_effect=RuntimeError("no network in tests")):
        recall = evaluate.mean_recall()
    assert socket.socket is not None
    print(f"OBS recall={recall:.4f}")
    if not 0 <= recall <= 1:
        sys.exit(f"recall is {recall:.4f}, a share was expected")
