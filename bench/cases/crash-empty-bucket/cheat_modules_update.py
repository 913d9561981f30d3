"""Puts a module of its own among the loaded ones by update."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import types

corpus = types.ModuleType("corpus")
corpus.token_counts = lambda name, count=120: [3] * count
sys.modules.update({"corpus": corpus})

import train

if __name__ == "__main__":
    train.plan("articles")
    print("OBS planned=True")
