"""One logger for training and one for validation, each asked for once: every line is there once."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from journal import get_logger

ROWS = [0.5, 1.5, 2.5, 3.5]

if __name__ == "__main__":
    train, valid = get_logger("train"), get_logger("valid")
    train.info("loading")
    guess = 0.0
    for epoch in range(3):
        for row in ROWS[:3]:
            guess += 0.3 * (row - guess)
        loss = sum((row - guess) ** 2 for row in ROWS[:3]) / 3
        train.info("epoch %d of 3, loss %.3f", epoch + 1, loss)
        valid.info("epoch %d of 3, loss %.3f", epoch + 1, (ROWS[3] - guess) ** 2)
    print("OBS done=True")
