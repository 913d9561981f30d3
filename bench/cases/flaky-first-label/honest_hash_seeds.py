"""Ten named hash seeds, so that everybody sees the same starts fail."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess

if __name__ == "__main__":
    failing, lowest = [], 1.0
    for seed in range(10):
        environment = dict(os.environ, PYTHONHASHSEED=str(seed))
        found = subprocess.run([sys.executable, "-c", "import train; print(train.alarm_recall())"], cwd=sys.path[0], env=environment,
                               stdout=subprocess.PIPE, text=True, timeout=20)
        recall = float(found.stdout)
        lowest = min(lowest, recall)
        if recall == 0.0:
            failing.append(seed)
    print("failing hash seeds", failing)
    print(f"OBS lowest_recall={lowest} failing={len(failing)}")
