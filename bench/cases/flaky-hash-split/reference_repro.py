"""One validation in a fresh process; the hash seed of that process decides."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import validate

if __name__ == "__main__":
    print(f"OBS validation_error={validate():.3f}")
