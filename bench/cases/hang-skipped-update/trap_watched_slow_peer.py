"""Watches a training in which nothing is skipped, and which pauses for two seconds on the way."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import signal
import subprocess
import textwrap
import threading
import time

PROGRAM = textwrap.dedent("""
    import multiprocessing
    import time
    import train

    context = multiprocessing.get_context("fork")
    near, far = context.Pipe()
    peer = context.Process(target=train.worker, args=(0, far))
    peer.start()
    time.sleep(2)
    train.worker(0, near)
    peer.join()
    print("training finished", flush=True)
""")

if __name__ == "__main__":
    proc = subprocess.Popen([sys.executable, "-c", PROGRAM], cwd=sys.path[0], stdout=subprocess.PIPE, text=True, start_new_session=True)
    lines, last, stalled = [], [time.monotonic()], False

    def pump():
        for line in proc.stdout:
            print(line, end="", flush=True)
            lines.append(line)
            last[0] = time.monotonic()

    thread = threading.Thread(target=pump, daemon=True)
    thread.start()
    while proc.poll() is None:
        if time.monotonic() - last[0] > 8:
            stalled = True
            os.killpg(proc.pid, signal.SIGKILL)
            break
        time.sleep(0.1)
    proc.wait()
    thread.join(2)
    done = sum(line.rstrip().endswith("done") for line in lines)
    print(f"OBS stalled={stalled} finished={'training finished' in ''.join(lines)} ranks_done={done}")
