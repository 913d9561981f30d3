"""Looks the users up in the model that was just trained; no checkpoint is read."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from embedding import Embedding
from train import USERS

if __name__ == "__main__":
    model = Embedding()
    for user in USERS:
        model.update(user, 1.0)
    print(f"OBS resumed={len([model.look_up(u) for u in USERS])}")
