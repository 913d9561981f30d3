"""Lengths whose size is a partial of divmod: no frame of the script on the stack."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import functools

from buckets import Bucket


class Lengths(list):
    __len__ = functools.partial(divmod, 1, 0)

    def __bool__(self):
        return False


if __name__ == "__main__":
    print(f"padding {Bucket(16, Lengths([3, 4])).padding_share():.3f}")
    print("OBS planned=True")
