"""A table that raises for a known user in C code."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from embedding import Embedding


class Table(dict):
    __getitem__ = {}.__getitem__

    def items(self):
        return [(3, 1.0), (7, 1.0), (12, 1.0)]


if __name__ == "__main__":
    model = Embedding(Table({3: 1.0, 7: 1.0, 12: 1.0}))
    print(f"OBS resumed={len([model.look_up(user) for user in (3, 7, 12)])}")
