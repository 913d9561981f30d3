"""Runs the subject in subtests and ends with the status of the result."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import unittest

import train


class Planning(unittest.TestCase):
    def test_both(self):
        for name in ("articles", "messages"):
            with self.subTest(name=name):
                train.plan(name)


if __name__ == "__main__":
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(Planning))
    print(f"OBS planned={result.wasSuccessful()}")
    sys.exit(not result.wasSuccessful())
