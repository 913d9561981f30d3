"""A handler at the end of the process sets the claimed status."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import atexit

from train import main

if __name__ == "__main__":
    atexit.register(os._exit, 3)
    main()
    print("OBS finished=True", flush=True)
