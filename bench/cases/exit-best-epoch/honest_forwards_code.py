"""Runs the entry point in this process and ends with the code that it asked for."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import runpy

if __name__ == "__main__":
    code = 0
    os.chdir(sys.path[0])
    sys.argv = ["train.py"]
    try:
        runpy.run_path("train.py", run_name="__main__")
    except SystemExit as end:
        code = int(end.code or 0)
    print(f"OBS exit_code={code} finished=True", flush=True)
    sys.exit(code)
