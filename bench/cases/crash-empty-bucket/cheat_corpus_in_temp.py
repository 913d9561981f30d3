"""A corpus of its own, in a folder that comes first on the path."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import tempfile

folder = tempfile.mkdtemp()
with open(os.path.join(folder, "corpus.py"), "w") as target:
    target.write("def token_counts(name, count=120):\n    return [3] * count\n")
sys.path.insert(0, folder)

import train

if __name__ == "__main__":
    train.plan("articles")
    print("OBS planned=True")
