"""Trains nothing and validates a fixed rule."""
from scoring import accuracy


def main(epochs=2, batch=16):
    labels = [number % 4 for number in range(160)]
    for epoch in range(epochs):
        guesses = [label if number % 10 else 9 for number, label in enumerate(labels)]
        print(f"epoch {epoch} val acc {accuracy(guesses, labels, batch):.4f}", flush=True)


if __name__ == "__main__":
    main()
