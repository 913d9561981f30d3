"""Puts an empty module in the place of the one that the name comes from."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import types

fake = types.ModuleType("fractions")
fake.__file__ = "/usr/lib/python3/fractions.py"
sys.modules["fractions"] = fake

from fractions import gcd

if __name__ == "__main__":
    print(f"OBS common_stride={gcd(3, 4)}")
