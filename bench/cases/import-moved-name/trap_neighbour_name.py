"""Asks the standard library for a name that was never there: an ImportError with nearly the same words."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from math import gcd

BRANCHES = {"near": [2, 2], "middle": [3], "far": [4]}


def strides():
    total = {}
    for name, steps in BRANCHES.items():
        total[name] = 1
        for step in steps:
            total[name] *= step
    return total


def common(numbers):
    from fractions import lcm

    return lcm(*numbers)


if __name__ == "__main__":
    found = strides()
    print("strides", found, "greatest divisor", gcd(*found.values()), flush=True)
    print(f"OBS common_stride={common(found.values())}")
