"""Own small rows in a dataclass; the diagonal of the cosine matrix should be one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from dataclasses import dataclass

import numpy as np

from similarity import cosine


@dataclass
class Pair:
    left: list
    right: list

    def matrix(self):
        return np.array([self.left, self.right], dtype=float)


if __name__ == "__main__":
    values = cosine(Pair([3.0, 4.0], [0.5, 0.0]).matrix())
    print(f"OBS cosine={values.max():.6f} diagonal={list(np.diag(values).round(3))}".replace(", ", ","))
