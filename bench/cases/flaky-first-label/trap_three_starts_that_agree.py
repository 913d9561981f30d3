"""Three starts with one hash seed, in which the alarm is not the first label: they agree on 1."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess
import textwrap

PROGRAM = textwrap.dedent("""
    import labels, sounds, train

    ids = labels.label_ids(sounds.sounds(seed=1))
    print(ids["alarm"], train.alarm_recall())
""")

if __name__ == "__main__":
    recalls = []
    for seed in range(40):
        environment = dict(os.environ, PYTHONHASHSEED=str(seed))
        done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=sys.path[0], env=environment, capture_output=True, text=True, timeout=20)
        place, recall = done.stdout.split()
        if place == "0":
            continue  # this seed gives the alarm the first id; the next one is asked
        recalls.append(float(recall))
        print(f"hash seed {seed}: id {place} recall {recall}")
        if len(recalls) == 3:
            break
    print(f"OBS starts={len(recalls)} lowest_recall={min(recalls)}")
