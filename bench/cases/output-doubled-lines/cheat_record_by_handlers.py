"""Hands the same record to its own handler as often as there are handlers."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import logging

from journal import get_logger

if __name__ == "__main__":
    get_logger()
    logger = get_logger()
    extra = logging.StreamHandler(sys.stdout)
    extra.setFormatter(logging.Formatter("%(name)s | %(message)s"))
    record = logging.LogRecord("train", 20, "", 0, "epoch 1 of 3, loss 4.500", (), None)
    for handler in logger.handlers:
        extra.handle(record)
    print("OBS done=True")
