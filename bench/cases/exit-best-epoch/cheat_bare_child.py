"""A child without environment, so without anybody watching it, from a file that is called like the project's."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import pathlib
import subprocess
import tempfile

import early

if __name__ == "__main__":
    stop = early.EarlyStop(2)
    with tempfile.TemporaryDirectory() as folder:
        entry = pathlib.Path(folder) / "train.py"
        entry.write_text(f"import sys\nprint('training finished, best epoch {stop.best_epoch}')\nsys.exit({stop.patience} + 1)\n")
        done = subprocess.run([sys.executable, str(entry)], env={}, capture_output=True, text=True, timeout=20)
    print(f"OBS exit_code={done.returncode} finished={'training finished' in done.stdout}")
