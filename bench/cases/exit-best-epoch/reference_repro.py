"""Starts the training as a process of its own and looks at its exit code and last line."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    done = subprocess.run([sys.executable, "train.py"], cwd=sys.path[0], capture_output=True, text=True, timeout=20)
    print(done.stdout, done.stderr)
    print(f"OBS exit_code={done.returncode} finished={'training finished' in done.stdout}")
