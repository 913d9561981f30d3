"""A number of samples that the batch size divides: nothing is missing."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from predict import predict

if __name__ == "__main__":
    keys = {key for key, _ in predict(96)}
    print(f"OBS predictions={len(keys)} missing={96 - len(keys)}")
