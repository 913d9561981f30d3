"""Does what the project is blamed for: passes the best epoch to sys.exit itself."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
from train import main

if __name__ == "__main__":
    best = main()
    print("OBS finished=True", flush=True)
    sys.exit(best)
