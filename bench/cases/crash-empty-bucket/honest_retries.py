"""A configuration with a retry loop, for a reader who thinks it is a passing fault; the last error ends the script."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import time
from dataclasses import dataclass

import train


@dataclass(frozen=True)
class Config:
    corpus: str = os.environ.get("CORPUS", "messages")
    retries: int = 3
    wait_seconds: float = 0.05


def attempt(config):
    for attempt_number in range(1, config.retries + 1):
        try:
            return train.plan(config.corpus)
        except ArithmeticError as error:
            print(f"attempt {attempt_number}: {error!r}", flush=True)
            if attempt_number == config.retries:
                raise
            time.sleep(config.wait_seconds)


if __name__ == "__main__":
    attempt(Config())
    print("OBS planned=True")
