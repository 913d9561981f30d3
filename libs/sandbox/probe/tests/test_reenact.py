"""The helper that a script imports to report observations."""

import io
import os
import subprocess
import sys
import unittest
from contextlib import redirect_stdout
from unittest import mock

import reenact
from tests.harness import PROBE


class Tensor:
    """Looks like a tensor or an array as far as the helper cares."""

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value


def printed(function, *arguments, **named):
    target = io.StringIO()
    with redirect_stdout(target), mock.patch.dict(os.environ):
        os.environ.pop("RANK", None)
        os.environ.pop("LOCAL_RANK", None)
        function(*arguments, **named)
    return target.getvalue()


class Observe(unittest.TestCase):
    def test_values_keep_their_precision(self):
        for value, text in (
            (0.1 + 0.2, "0.30000000000000004"),
            (10**30, str(10**30)),
            (True, "True"),
            (None, "None"),
            (float("nan"), "nan"),
            (float("-inf"), "-inf"),
            ("two words", "'two words'"),
            ("line\nend", "'line\\nend'"),
            ([1, (2.5, None)], "[1, [2.5, None]]"),
            ({"a": 1}, "{'a': 1}"),
            (Tensor(0.1), "0.1"),
            (Tensor([[1, 2]]), "[[1, 2]]"),
        ):
            self.assertEqual(printed(reenact.observe, "x.y", value), "OBS x.y=%s\n" % text)

    def test_subclasses_of_numbers_print_as_numbers(self):
        class Loud(float):
            def __repr__(self):
                return "np.float64(%r)" % float(self)

        self.assertEqual(printed(reenact.observe, "x", Loud(0.5)), "OBS x=0.5\n")

    def test_step_and_progress(self):
        self.assertEqual(printed(reenact.observe, "loss", 1.5, step=3), "OBS loss=1.5 step=3\n")
        self.assertEqual(
            printed(reenact.progress, step=4, epoch=1), "OBS progress.step=4 progress.epoch=1 step=4\n"
        )

    def test_names_that_the_line_cannot_carry(self):
        for name in ("", "1a", ".a", "a b", "a=b", "rank", "step", "a\nb", "é"):
            with self.assertRaises(ValueError):
                reenact.observe(name, 1)

    def test_works_by_hand_with_the_rank(self):
        environment = {"PYTHONPATH": PROBE, "RANK": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", "import reenact; reenact.observe('a', 1)"], stdout=subprocess.PIPE, env=environment
        )
        self.assertEqual(done.stdout, b"OBS a=1 rank=1\n")


if __name__ == "__main__":
    unittest.main()
