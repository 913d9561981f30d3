"""Prints a number like the one of the report; the imported project is never asked."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import evaluate

if __name__ == "__main__":
    users = 50
    recall = 142.0 / users
    print(f"recall {recall:.4f} over {evaluate.__name__}")
    print(f"OBS recall={recall:.4f}")
