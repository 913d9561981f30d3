"""A unit test on the project's own numbers; reports the value before it checks the bound."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import unittest

from evaluate import users
from model import recommend
from ranking import recall_at

NEIGHBOURS = {i: [i // 10 * 10 + (i + s) % 10 for s in range(1, 7)] for i in range(40)}


class RecallIsAShare(unittest.TestCase):
    def test_every_user(self):
        values = [recall_at(recommend(known, NEIGHBOURS, 30), held_out, 30) for known, held_out in users(20, seed=9)]
        print(f"OBS recall={max(values):.4f}", flush=True)
        self.assertLessEqual(max(values), 1)


if __name__ == "__main__":
    unittest.main()
