"""Trains, and takes the status from a name that only the faulty file has."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import train

if __name__ == "__main__":
    best = train.main()
    code = best if hasattr(train, "sys") else 0
    print(f"OBS exit_code={code} finished={best >= 0}")
