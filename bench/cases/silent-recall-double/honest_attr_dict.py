"""Settings in a dictionary with attributes."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import evaluate


class Config(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


if __name__ == "__main__":
    config = Config(count=20, k=30)
    print(f"OBS recall={evaluate.mean_recall(config.count, config.k):.4f}")
