"""Reads the checkpoint and turns its keys back into numbers before it goes on: all users are resumed."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import tempfile

import store
from embedding import Embedding
from train import USERS, start


def epochs(model, count):
    for _ in range(count):
        for user in USERS:
            model.update(user, gradient=model.look_up(user) + user / 10)
    return [model.look_up(user) for user in USERS]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.json")
        start(path)
        state = store.load(path)
    model = Embedding({int(user): value for user, value in state["table"].items()})
    for turn in range(3):
        print(f"turn {turn}", " ".join(f"{score:.3f}" for score in epochs(model, 5)), flush=True)
    print(f"OBS resumed={len(model.table)}")
