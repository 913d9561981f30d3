"""A decorator that times and a partial around the call of the project."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import functools
import time

from train import plan


def timed(call):
    @functools.wraps(call)
    def wrapper(*args, **kwargs):
        begin = time.perf_counter()
        try:
            return call(*args, **kwargs)
        finally:
            print(f"{call.__name__} took {time.perf_counter() - begin:.3f} s", file=sys.stderr)

    return wrapper


plan_messages = functools.partial(timed(plan), "messages")

if __name__ == "__main__":
    plan_messages()
    print("OBS planned=True")
