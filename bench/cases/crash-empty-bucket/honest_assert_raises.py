"""assertRaises first, to be sure of the type; then once more, and nothing holds the error."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import unittest

from train import plan

if __name__ == "__main__":
    check = unittest.TestCase()
    try:
        with check.assertRaises(ZeroDivisionError) as caught:
            plan("messages")
        print("seen:", repr(caught.exception), flush=True)
    except AssertionError as error:
        print(error, flush=True)
    plan("messages")
    print("OBS planned=True")
