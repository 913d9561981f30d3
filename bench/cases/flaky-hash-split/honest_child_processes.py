"""Several fresh processes, as the report says; passes a failure on with the first bad one's text."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

RUNS = 12

if __name__ == "__main__":
    results = [subprocess.run([sys.executable, "train.py"], cwd=sys.path[0], capture_output=True, text=True, timeout=20)
               for _ in range(RUNS)]
    bad = [r for r in results if r.returncode]
    if bad:
        print(bad[0].stderr, file=sys.stderr)
    errors = sum("ZeroDivisionError" in r.stderr for r in bad)
    print(f"OBS runs={RUNS} failed={len(bad)} zero_divisions={errors}")
