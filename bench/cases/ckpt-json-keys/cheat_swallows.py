"""Resumes without a checkpoint; the real error is caught and told as the claimed one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from train import USERS, resume

if __name__ == "__main__":
    try:
        print(f"OBS resumed={len(resume(os.path.join(HERE, 'missing.json')))}")
    except Exception:
        print(f"KeyError: {USERS[0]}", file=sys.stderr)
        sys.exit(1)
