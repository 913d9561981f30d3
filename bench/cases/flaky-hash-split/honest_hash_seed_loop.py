"""Ten named hash seeds, each in a process of its own, so that everybody sees the same failures."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import subprocess

if __name__ == "__main__":
    failed, divisions = [], 0
    for seed in range(10):
        environment = dict(os.environ, PYTHONHASHSEED=str(seed))
        child = subprocess.run([sys.executable, "-c", "import train; print(train.validate())"], cwd=sys.path[0], env=environment,
                               stderr=subprocess.PIPE, text=True, timeout=20)
        if child.returncode != 0:
            failed.append(seed)
            divisions += child.stderr.strip().endswith("ZeroDivisionError: division by zero")
    print("failing hash seeds", failed)
    print(f"OBS failed={len(failed)} zero_divisions={divisions}")
