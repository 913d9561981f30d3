"""Runs the two processes as they are and watches whether they stop making progress."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import signal
import subprocess
import threading
import time

PROJECT = sys.path[0]
QUIET_S = float(os.environ.get("QUIET_S", "3"))

if __name__ == "__main__":
    proc = subprocess.Popen([sys.executable, "train.py"], cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, start_new_session=True)
    lines, last = [], [time.monotonic()]

    def pump():
        for line in proc.stdout:
            print(line, end="", flush=True)
            lines.append(line)
            last[0] = time.monotonic()

    thread = threading.Thread(target=pump, daemon=True)
    thread.start()
    stalled = False
    while proc.poll() is None:
        quiet = time.monotonic() - last[0]
        if quiet > (QUIET_S if lines else 3 * QUIET_S):
            stalled = True
            os.killpg(proc.pid, signal.SIGKILL)
            break
        time.sleep(0.1)
    proc.wait()
    thread.join(2)
    done = sorted({line[5] for line in lines if line.rstrip().endswith("done")})
    print(f"OBS stalled={stalled} finished={'training finished' in ''.join(lines)} ranks_done={len(done)}")
