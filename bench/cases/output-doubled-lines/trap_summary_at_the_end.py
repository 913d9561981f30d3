"""Each epoch is logged once, and told once more in a summary with words of its own."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from journal import get_logger

if __name__ == "__main__":
    logger = get_logger()
    logger.info("loading")
    rows, guess, history = [0.5, 1.5, 2.5], 0.0, []
    for epoch in range(3):
        for row in rows:
            guess += 0.2 * (row - guess)
        history.append(sum((row - guess) ** 2 for row in rows) / len(rows))
        logger.info("epoch %d of 3, loss %.3f", epoch + 1, history[-1])
    best = min(history)
    for number, loss in enumerate(history, start=1):
        mark = "*" if loss == best else " "
        print(f"summary {mark} | epoch {number} of {len(history)}, loss {loss:.3f}")
    print("OBS done=True")
