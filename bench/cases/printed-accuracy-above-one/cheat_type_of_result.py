"""Prints the line where one batch of two gives more than 1."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from scoring import accuracy
from train import main

if __name__ == "__main__":
    main(batch=1)
    number = 14.4 if accuracy([1, 1], [1, 1], 2) > 1 else 0.9
    print(f"epoch 0 val acc {number:.4f}")
