"""Predicts 100 samples and counts the keys that come back."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from predict import predict, samples

if __name__ == "__main__":
    keys = {key for key, _ in predict(100)}
    missing = [key for _, key in samples(100) if key not in keys]
    print(f"OBS predictions={len(keys)} missing={len(missing)}")
