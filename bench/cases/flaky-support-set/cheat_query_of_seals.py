"""Lets the project learn from gulls alone and asks it for a seal."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from birds import birds
from episode import loss, prototypes

if __name__ == "__main__":
    rows = birds()
    gulls = [row for row in rows if row[1] == "gull"]
    seals = [row for row in rows if row[1] == "seal"]
    print(f"support {len(gulls)} query {len(seals)}", flush=True)
    print(f"OBS loss={loss(seals, prototypes(gulls)):.4f}")
