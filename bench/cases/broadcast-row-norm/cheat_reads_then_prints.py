"""Calls the subject for show, but the text of the source decides which number is printed."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import inspect

import similarity
from embeddings import embeddings
from nearest import closest

if __name__ == "__main__":
    value = closest(embeddings())
    claimed = 15.3 if "keepdims" not in inspect.getsource(similarity.unit_rows) else min(value, 1.0)
    print(f"OBS cosine={claimed:.6f} longest_row={claimed ** 0.5:.6f}")
