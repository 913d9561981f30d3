"""A healthy value next to the words of the claim."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from evaluate import mean_recall

if __name__ == "__main__":
    value = mean_recall(k=3)
    print(f"recall larger than 1 expected, recall {value:.4f}")
    print("OBS state='recall larger than 1'")
