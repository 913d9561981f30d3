"""Takes the labels of the alarms away, so that none of them can be learnt."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import sounds
import train

if __name__ == "__main__":
    rows = [(features, None if label == "alarm" else label) for features, label in sounds.sounds(seed=1)]
    ids = {"background": 1, "engine": 2, "alarm": 3}
    centres = train.train(ids, rows)
    alarms = [features for features, label in sounds.sounds(seed=2) if label == "alarm"]
    recall = sum(train.nearest(centres, features) == ids["alarm"] for features in alarms) / len(alarms)
    print(f"OBS lowest_recall={recall}")
