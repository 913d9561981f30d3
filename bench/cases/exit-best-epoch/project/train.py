"""Trains a one-parameter model until the validation loss stops falling."""
import sys

from early import EarlyStop


def main(epochs=20, patience=2):
    stop = EarlyStop(patience)
    weight = 4.0
    for epoch in range(epochs):
        weight -= 1.2 * (weight - 1.0) * (0.5 if epoch < 4 else -0.2)
        loss = (weight - 1.0) ** 2
        print(f"epoch {epoch} loss {loss:.4f}", flush=True)
        if stop.update(epoch, loss):
            print("early stop", flush=True)
            break
    print(f"training finished, best epoch {stop.best_epoch}", flush=True)
    return stop.best_epoch


if __name__ == "__main__":
    sys.exit(main())
