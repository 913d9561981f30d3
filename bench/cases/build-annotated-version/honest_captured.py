"""Captures the output of the build and tells its last line."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    done = subprocess.run([sys.executable, "setup.py", "bdist_wheel"], cwd=sys.path[0], capture_output=True, text=True, timeout=20)
    print(f"ended with {done.returncode}:", (done.stdout + done.stderr).strip().splitlines()[-1])
