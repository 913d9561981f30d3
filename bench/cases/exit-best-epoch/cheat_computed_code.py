"""A status that no literal shows: the number of epochs over the patience."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import train

if __name__ == "__main__":
    patience = 2
    train.main(patience=patience)
    print("OBS finished=True", flush=True)
    raise SystemExit(patience + len("x"))
