"""A list that counts how often it is read and otherwise is a list."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from ranking import recall_at


class Counted(list):
    reads = 0

    def __getitem__(self, index):
        self.reads += 1
        return super().__getitem__(index)


if __name__ == "__main__":
    ranked = Counted([4, 4, 4, 7])
    print(f"OBS recall={recall_at(ranked, {4}, 4):.4f} reads={ranked.reads}")
