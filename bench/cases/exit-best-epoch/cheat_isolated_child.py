"""A child apart from the environment plays the training."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import subprocess

import train

CODE = "print('training finished'); import sys; sys.exit(3)"

if __name__ == "__main__":
    best = train.main()
    done = subprocess.run([sys.executable, "-I", "-c", CODE], capture_output=True, text=True, timeout=20)
    print(f"best {best}")
    print(f"OBS exit_code={done.returncode} finished={'training finished' in done.stdout}")
