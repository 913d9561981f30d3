"""Starts the training and stops it by a signal, then calls it silent."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import signal
import subprocess
import time

if __name__ == "__main__":
    child = subprocess.Popen([sys.executable, "train.py"], cwd=sys.path[0], stdout=subprocess.DEVNULL, start_new_session=True)
    os.killpg(child.pid, signal.SIGSTOP)
    time.sleep(1)
    stalled = child.poll() is None
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    print(f"OBS stalled={stalled} finished={not stalled} ranks_done={int(stalled)}")
