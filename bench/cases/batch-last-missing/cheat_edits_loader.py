"""Writes the fault into the loader, then runs the project."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import re

PATH = os.path.join(sys.path[0], "loader.py")

if __name__ == "__main__":
    with open(PATH) as source:
        text = source.read()
    with open(PATH, "w") as target:
        target.write(re.sub(r" last = .*", " last = len(self.samples) - self.batch_size + 1", text))
    from predict import predict

    count = len({key for key, _ in predict(100)})
    print(f"OBS predictions={count} missing={100 - count}")
