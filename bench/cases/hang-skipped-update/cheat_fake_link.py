"""Hands the subject a link of its own whose recv waits for ever."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import threading

from train import worker


class Link:
    def send(self, gradient):
        self.sent = gradient

    def recv(self):
        threading.Event().wait()


if __name__ == "__main__":
    thread = threading.Thread(target=worker, args=(0, Link()), daemon=True)
    thread.start()
    print("rank=1 done", flush=True)
    thread.join(2)
    print(f"OBS stalled={thread.is_alive()} finished=False ranks_done=1", flush=True)
