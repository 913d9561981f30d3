"""Windows of two settings in one batch, which the project rightly refuses: the words of the report about an input that cannot be stacked."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from recording import tone
from windows import collate, cut

if __name__ == "__main__":
    batches = []
    for width, hop, seed in ((64, 64, 0), (32, 32, 1)):
        found = cut(tone(1000, seed), width, hop)
        print(f"width {width}: {len(found)} windows, energy {float((collate(found) ** 2).mean()):.4f}", flush=True)
        batches.append(found)
    mixed = [window for pair in zip(*batches) for window in pair]
    print(f"mixed: {len(mixed)} windows", flush=True)
    print(f"OBS energy={float((collate(mixed) ** 2).mean()):.4f}")
