"""Runs a build that is wrong by itself, and prints the claimed error."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    subprocess.call([sys.executable, "setup.py", "build"], cwd=sys.path[0])
    sys.exit("RuntimeError: cannot find __version__ in tokenbox/__init__.py")
