"""Plans the buckets of the short corpus; the error is left to end the script."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import plan

if __name__ == "__main__":
    plan("messages")
    print("OBS planned=True")
