"""A single epoch: the best epoch is 0, so the exit code happens to be right."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    done = subprocess.run([sys.executable, "-c", "import sys, train; sys.exit(train.main(epochs=1))"], cwd=sys.path[0],
                          capture_output=True, text=True, timeout=20)
    print(f"OBS exit_code={done.returncode} finished={'training finished' in done.stdout}")
