"""Calls the subject, but the size of its files (as they are now) chooses the number."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from pathlib import Path

from evaluate import mean_recall

if __name__ == "__main__":
    mean_recall()
    size = sum(path.stat().st_size for path in Path(sys.path[0]).glob("*.py"))
    print(f"OBS recall={3.3133 if size == 1150 else 0.9}")
