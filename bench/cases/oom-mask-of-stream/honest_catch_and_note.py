"""Notes the size before the error goes on."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import run

if __name__ == "__main__":
    try:
        print(f"OBS trace={run()!r}")
    except MemoryError as error:
        print("no memory:", error, flush=True)
        raise
