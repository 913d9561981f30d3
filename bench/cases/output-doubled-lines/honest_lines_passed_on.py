"""Reads the lines of the entry point and passes each on as it comes."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    with subprocess.Popen([sys.executable, "-u", "train.py"], cwd=sys.path[0], stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout:
            print(line, end="", flush=True)
    print("OBS done=True")
