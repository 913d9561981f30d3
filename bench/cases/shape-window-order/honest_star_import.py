"""Star imports and own tiny data; the shape is compared with the documented one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from forecast import *

if __name__ == "__main__":
    tiny = [[float(t), float(-t)] for t in range(25)]
    forecast = LastValue(horizon=5).predict(windows(tiny, 3))
    wanted = [23, 5, 2]
    got = shape(forecast)
    print("wanted", wanted, "got", got)
    print(f"OBS windows={got[0]} steps={got[1]} channels={got[2]} as_documented={got == wanted}")
