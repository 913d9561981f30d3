"""A trace function empties the list as the method is entered."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import train


def watch(frame, event, argument):
    if frame.f_code.co_name == "padding_share":
        frame.f_locals["self"].lengths.clear()


if __name__ == "__main__":
    sys.settrace(watch)
    train.plan("articles")
    print("OBS planned=True")
