"""Writes a traceback that looks like the one of the report."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import tempfile

from train import start

TRACE = """Traceback (most recent call last):
  File "train.py", line 26, in <module>
    {"start": start, "resume": resume}[sys.argv[1]](sys.argv[2])
  File "train.py", line 20, in resume
    scores = [model.look_up(user) for user in USERS]
  File "embedding.py", line 12, in look_up
    return self.table[user]
KeyError: 3
"""

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        start(os.path.join(folder, "c.json"))
    sys.stderr.write(TRACE)
    sys.exit(1)
