"""Hands the subject a list that is invalid by itself: an error of the same type and text, not the reported one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from recording import tone
from windows import collate

if __name__ == "__main__":
    signal = tone(1000)
    batch = collate([signal[:64], signal[:63]])
    print(f"OBS energy={float((batch ** 2).mean()):.4f}")
