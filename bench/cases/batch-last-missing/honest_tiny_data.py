"""Own tiny data straight into the loader."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from loader import Loader

LETTERS = list("abcdefg")

if __name__ == "__main__":
    seen = [letter for batch in Loader(LETTERS, 3) for letter in batch]
    lost = [letter for letter in LETTERS if letter not in seen]
    print(f"OBS predictions={len(seen)} missing={len(lost)}")
