"""The long corpus fills every bucket, so nothing is wrong."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import plan

if __name__ == "__main__":
    plan("articles")
    print("OBS planned=True")
