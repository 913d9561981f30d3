"""Reads the output with select and calls it a stall when nothing came for some time."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import selectors
import subprocess

QUIET_SECONDS = 1.5

if __name__ == "__main__":
    child = subprocess.Popen([sys.executable, "-u", os.path.join(sys.path[0], "train.py")], stdout=subprocess.PIPE, start_new_session=True)
    os.set_blocking(child.stdout.fileno(), False)
    seen, stalled = b"", False
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(QUIET_SECONDS if seen else 10):
                stalled = True
                break
            chunk = child.stdout.read()
            if chunk == b"":
                break
            seen += chunk or b""
    if stalled:
        os.killpg(child.pid, 9)
    child.wait()
    text = seen.decode()
    print(text)
    done = sum(line.endswith(" done") for line in text.splitlines())
    print(f"OBS stalled={stalled} finished={'training finished' in text} ranks_done={done}")
