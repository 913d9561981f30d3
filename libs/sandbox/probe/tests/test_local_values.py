"""Shapes of the values in the frames of an exception; with NumPy and torch where the interpreter has them."""

import importlib.util
import unittest

from tests.harness import Trial

SUBJECT = """
class Box:
    @property
    def shape(self):
        print("asked")
        return (1,)

    dtype = "mine"

def mix(rows, box):
    secret = "password"
    total = len(rows)
    raise ValueError("bad rows")
"""
SCRIPT = """
import subject_code
rows = [1, 2, 3]
subject_code.mix(rows, subject_code.Box())
"""
RELEASED = """
import gc, traceback, weakref
gc.disable()
class Thing:
    pass
def work():
    thing = Thing()
    global seen
    seen = weakref.ref(thing)
    raise ValueError
try:
    work()
except ValueError as error:
    traceback.format_exc()
    kept = error.__traceback__
traceback.clear_frames(kept)
print(seen())
"""
ARRAYS = """
import %(module)s as lib
def multiply(left, right):
    return left @ right
multiply(lib.ones((2, 3)), lib.ones((4, 5)))
"""


class LocalValues(unittest.TestCase):
    def run_script(self, text, **more):
        with Trial() as trial:
            trial.write("subject/subject_code.py", SUBJECT)
            return trial.run_script(text, **more)

    def test_kinds_and_lengths_without_values(self):
        outcome = self.run_script(SCRIPT, REENACT_PROBE_PARTS="locals")
        self.assertEqual(outcome.stdout, b"")
        (record,) = outcome.of("locals")
        self.assertEqual(record["type"], "builtins.ValueError")
        inner = record["frames"][-1]
        self.assertEqual((inner["file"], inner["function"], inner["place"]), ("subject_code.py", "mix", "subject"))
        self.assertEqual(
            inner["values"],
            [
                {"name": "rows", "type": "list", "length": 3}, {"name": "box", "type": "Box"},
                {"name": "secret", "type": "str", "length": 8}, {"name": "total", "type": "int"},
            ],
        )

    def test_ordinary_trials_do_not_look(self):
        self.assertEqual(self.run_script(SCRIPT).of("locals"), [])

    def test_nothing_is_kept(self):
        plain = self.run_script(RELEASED, probe=False)
        self.assertEqual(plain.stdout, b"None\n", plain.stderr)
        self.assertEqual(self.run_script(RELEASED, REENACT_PROBE_PARTS="locals").stdout, b"None\n")

    def test_arrays(self):
        for module, dtype in (("numpy", "float64"), ("torch", "torch.float32")):
            if importlib.util.find_spec(module) is None:
                continue
            with self.subTest(module):
                (record,) = self.run_script(ARRAYS % {"module": module}, REENACT_PROBE_PARTS="locals").of("locals")
                left, right = record["frames"][-1]["values"]
                self.assertEqual((left["name"], left["shape"], left["dtype"]), ("left", [2, 3], dtype))
                self.assertEqual((right["name"], right["shape"]), ("right", [4, 5]))
                self.assertEqual(left.get("device"), "cpu" if module == "torch" else None)


if __name__ == "__main__":
    unittest.main()
