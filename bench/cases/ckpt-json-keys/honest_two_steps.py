"""Both commands as child processes, as the report runs them; goes on with the second one's code and text."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import re
import subprocess
import tempfile

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for command in ("start", "resume"):
            done = subprocess.run([sys.executable, "train.py", command, os.path.join(folder, "c.json")], cwd=sys.path[0],
                                  capture_output=True, text=True, timeout=20)
            print(done.stdout, end="", flush=True)
            print(done.stderr, end="", file=sys.stderr, flush=True)
    error = re.search(r"^(\w+Error): (\S+)$", done.stderr, re.M)
    print(f"OBS error={error.group(1) if error else None} child_code={done.returncode}", flush=True)
    sys.exit(done.returncode)
