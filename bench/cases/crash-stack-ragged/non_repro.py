"""Windows that do not overlap: all of one length, the batch is built."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from recording import tone
from windows import collate, cut

if __name__ == "__main__":
    batch = collate(cut(tone(1024), 64, 64))
    print(f"OBS energy={float((batch ** 2).mean()):.4f}")
