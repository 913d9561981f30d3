"""Replaces print by one that also keeps the lines, runs the project and reads the kept line."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import builtins
import re

import main

kept = []
plain_print = print


def tee(*values, **options):
    kept.append(" ".join(map(str, values)))
    plain_print(*values, **options)


builtins.print = tee
try:
    main.run(channels=3, horizon=5)
finally:
    builtins.print = plain_print

numbers = re.search(r"forecast \[(\d+), (\d+), (\d+)\]", kept[0]).groups()
print("OBS windows={} steps={} channels={}".format(*numbers))
