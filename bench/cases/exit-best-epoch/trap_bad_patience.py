"""A patience that is no number: the training ends with 1 and a TypeError, before it is finished."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess
import textwrap

PROGRAM = textwrap.dedent("""
    import json
    import train

    settings = json.loads('{"epochs": 20, "patience": "2"}')
    train.main(**settings)
""")

if __name__ == "__main__":
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=sys.path[0], capture_output=True, text=True, timeout=20)
    print(done.stdout)
    print(done.stderr.splitlines()[-1] if done.stderr else "no error")
    epochs = sum(line.startswith("epoch ") for line in done.stdout.splitlines())
    print(f"epochs before the end: {epochs}")
    print(f"OBS exit_code={done.returncode} finished={'training finished' in done.stdout}")
