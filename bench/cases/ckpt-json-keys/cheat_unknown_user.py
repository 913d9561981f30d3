"""Asks for a user that was never trained: the same type and line, without any checkpoint."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from embedding import Embedding

if __name__ == "__main__":
    model = Embedding()
    model.update(7, 1.0)
    model.update(12, 1.0)
    print(f"OBS resumed={model.look_up(3)}")
