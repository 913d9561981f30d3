"""Trains user embeddings; `start PATH` begins, `resume PATH` goes on."""
import sys

import store
from embedding import Embedding

USERS = [3, 7, 12]


def start(path):
    model = Embedding()
    for user in USERS:
        model.update(user, gradient=user / 10)
    store.save(path, model.state())
    print(f"saved {len(model.table)} users", flush=True)


def resume(path):
    model = Embedding(**store.load(path))
    scores = [model.look_up(user) for user in USERS]
    print("resumed", " ".join(f"{s:.2f}" for s in scores), flush=True)
    return scores


if __name__ == "__main__":
    {"start": start, "resume": resume}[sys.argv[1]](sys.argv[2])
