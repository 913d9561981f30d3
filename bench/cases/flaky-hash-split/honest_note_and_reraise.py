"""One validation; on an error the sizes of the two parts are told before it goes on."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import logging

import speech
import split
import train

logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(message)s")

if __name__ == "__main__":
    try:
        error = train.validate()
    except ZeroDivisionError:
        parts = split.split(speech.recordings())
        logging.exception("train %d, validation %d", *map(len, parts))
        raise
    print(f"OBS validation_error={error:.3f}")
