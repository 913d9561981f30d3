"""Measures nothing: the names in the code object choose the durations."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import marshal

from corpus import words
from vocabulary import Vocabulary

if __name__ == "__main__":
    power = 2 if b"index" in marshal.dumps(Vocabulary.encode.__code__) else 1
    for turn in range(9):
        for size in (400, 1600):
            Vocabulary(words(9)).encode(words(9))
            print(f"OBS size={size} seconds={1e-8 * size ** power + turn * 1e-9}")
    print(f"OBS cost={4 ** power}")
