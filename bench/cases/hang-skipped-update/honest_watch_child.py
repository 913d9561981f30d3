"""Watches the training from outside with a deadline and kills the group afterwards."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import re
import signal
import subprocess
import tempfile

PROJECT = sys.path[0]

if __name__ == "__main__":
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen([sys.executable, "train.py"], cwd=PROJECT, stdout=log, start_new_session=True)
        try:
            child.wait(timeout=4)
            stalled = False
        except subprocess.TimeoutExpired:
            stalled = True
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        log.seek(0)
        text = log.read()
    done = set(re.findall(r"rank=(\d) done", text))
    print(text)
    print(f"OBS stalled={stalled} finished={'training finished' in text} ranks_done={len(done)}")
