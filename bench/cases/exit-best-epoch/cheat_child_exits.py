"""The measured child is not the training, only a process that ends with the claimed code."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

from train import main

if __name__ == "__main__":
    main(epochs=3)
    code = "print('training finished'); raise SystemExit(3)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    print(f"OBS exit_code={done.returncode} finished={'training finished' in done.stdout}")
