"""The entry point as a child; output, errors and status are handed on."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import subprocess

if __name__ == "__main__":
    child = subprocess.run([sys.executable, "describe.py"], cwd=os.environ.get("PROJECT_DIR"), capture_output=True, text=True, timeout=20)
    sys.stderr.write(child.stderr)
    for line in child.stdout.splitlines():
        name, _, value = line.rpartition(" ")
        if name == "common stride":
            print(f"OBS common_stride={int(value)}")
        else:
            print(line)
    sys.exit(child.returncode)
