"""Checkpoints as JSON, so that they can be read without Python."""
import json


def save(path, state):
    with open(path, "w") as target:
        json.dump(state, target)


def load(path):
    with open(path) as source:
        return json.load(source)
