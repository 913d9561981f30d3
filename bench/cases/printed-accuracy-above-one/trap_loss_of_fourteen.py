"""A loss of 14.4 beside an accuracy of 0.9: both are as they should be."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from scoring import accuracy

if __name__ == "__main__":
    labels = [number % 4 for number in range(160)]
    scale = 9.0
    for epoch in range(2):
        guesses, loss = [], 0.0
        for number, label in enumerate(labels):
            guess = label if number % 10 else 9
            guesses.append(guess)
            loss += min(144.0, scale * (guess - label) ** 2 / 2.5)
        rows = sum(guess != label for guess, label in zip(guesses, labels))
        print(f"epoch {epoch} val loss {loss / len(labels):.4f} in {rows} rows")
        print(f"epoch {epoch} val acc {accuracy(guesses, labels, 1):.4f}", flush=True)
