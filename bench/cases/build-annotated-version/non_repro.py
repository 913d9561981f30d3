"""Asks for a command that there is none of: another failure."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    sys.exit(subprocess.call([sys.executable, "setup.py", "build"], cwd=sys.path[0]))
