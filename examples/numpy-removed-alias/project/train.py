"""Trains the caption model and prints loss and BLEU of each epoch."""
import numpy as np

from captions import captions
from metrics import bleu
from model import Bigram


def train(epochs=3):
    texts, held_out = captions(200, seed=1), captions(40, seed=2)
    model = Bigram(texts)
    pairs = np.array([[model.index[a], model.index[b]] for t in texts for a, b in zip(["<s>"] + t, t)])
    for epoch in range(epochs):
        loss = model.step(pairs[:, 0], pairs[:, 1], rate=0.05)
        print(f"epoch {epoch} loss {loss:.4f}", flush=True)
        score = bleu([model.greedy(len(t)) for t in held_out], held_out)
        print(f"epoch {epoch} bleu {score:.4f}", flush=True)


if __name__ == "__main__":
    train()
