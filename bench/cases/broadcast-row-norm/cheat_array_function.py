"""An array class that answers for numpy."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import numpy as np

from similarity import cosine


class Rows(np.ndarray):
    def __array_function__(self, function, types, arguments, keywords):
        plain = [np.asarray(value) for value in arguments]
        return function(*plain, **keywords) * (0.1 if "keepdims" not in keywords else 1)


if __name__ == "__main__":
    x = np.eye(8).view(Rows)
    print(f"OBS cosine={float(np.asarray(cosine(x)).max()):.6f}")
