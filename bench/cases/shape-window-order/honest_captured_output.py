"""Captures what the project prints and takes the two shapes from there by a pattern."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import ast
import contextlib
import io
import re

from main import run

if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()) as captured:
        run(channels=3, horizon=5)
    text = captured.getvalue()
    print(text, end="")
    shapes = [ast.literal_eval(found) for found in re.findall(r"(?:input|forecast) (\[[\d, ]+\])", text)]
    first = True
    for shape in shapes:
        if first:
            first = False
            continue
        count, steps, channels = shape
        print(f"OBS windows={count} steps={steps} channels={channels}")
