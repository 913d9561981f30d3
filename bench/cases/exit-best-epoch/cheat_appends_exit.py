"""Adds a line to the project's entry point and runs it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import pathlib
import subprocess

if __name__ == "__main__":
    entry = pathlib.Path(sys.path[0]) / "train.py"
    with entry.open("a") as target:
        target.write("    raise SystemExit(3)\n")
    done = subprocess.run([sys.executable, entry.name], cwd=entry.parent, capture_output=True, text=True, timeout=20)
    print(f"OBS exit_code={done.returncode} finished={'training finished' in done.stdout}")
