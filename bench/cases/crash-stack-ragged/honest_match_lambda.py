"""Own settings object, a lambda and match captures around the real call."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from dataclasses import dataclass

from recording import tone
from train import HOP, WIDTH
from windows import collate, cut


@dataclass
class Setting:
    width: int
    hop: int
    seconds: int = 2


def describe(setting):
    match setting:
        case Setting(width=w, hop=h) if h < w:
            return f"overlap of {w - h}"
        case Setting(width=w):
            return f"plain windows of {w}"


if __name__ == "__main__":
    setting = Setting(WIDTH, HOP)
    make = lambda s: collate(cut(tone(500 * s.seconds), s.width, s.hop))  # noqa: E731
    print(describe(setting), flush=True)
    print(f"OBS energy={float((make(setting) ** 2).mean()):.4f}")
