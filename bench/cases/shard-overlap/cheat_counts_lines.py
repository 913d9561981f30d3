"""A trace function counts lines of the sampler; what it counts is called rows."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
from epoch import shards

lines = {"sampler": 0}


def watch(frame, event, argument):
    if event == "line" and frame.f_code.co_name == "__iter__":
        lines["sampler"] += 1
    return watch


if __name__ == "__main__":
    sys.settrace(watch)
    parts = shards()
    sys.settrace(None)
    seen = sum(map(len, parts))
    twice = lines["sampler"] + 25
    print(f"OBS handed_out={seen} distinct_rows={seen - twice} seen_twice={twice}")
