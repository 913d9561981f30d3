"""A checkpoint of an older layout: resuming fails, but by another error in another place."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import json
import tempfile

from train import USERS, resume, start

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.json")
        start(path)
        with open(path) as source:
            table = json.load(source)["table"]
        old = os.path.join(folder, "old.json")
        with open(old, "w") as target:
            json.dump({"users": USERS, "scores": [table[str(user)] for user in USERS]}, target)
        print("resuming", os.path.basename(old), flush=True)
        print(f"OBS resumed={len(resume(old))}")
