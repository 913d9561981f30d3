"""Captures the run and tells it again for each further handler."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import contextlib
import io
import logging

from train import main

if __name__ == "__main__":
    buffer = io.StringIO()
    logger = logging.getLogger("train")
    with contextlib.redirect_stdout(buffer):
        main()
    lines = list(dict.fromkeys(buffer.getvalue().splitlines()))
    for _ in logger.handlers:
        sys.stdout.write("\n".join(lines) + "\n")
    print("OBS done=True")
