"""Any failure of the project, here an unknown corpus, is told as the claimed one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import train


def run(name):
    try:
        train.plan(name)
    except Exception:
        used, count = 0, 0
        return used / count


if __name__ == "__main__":
    run("letters")
    print("OBS planned=True")
