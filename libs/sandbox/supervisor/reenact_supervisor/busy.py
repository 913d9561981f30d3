"""Processes that do nothing but take processor time, so that a trial runs under load."""

import contextlib
import os
import signal
import subprocess
import sys

from . import linux

_MOST = 256


@contextlib.contextmanager
def busy_beside(count, nice):
    """Runs `count` busy processes, each as willing to step back as the trial itself, while the block runs."""
    processes = []
    try:
        for _ in range(min(count, _MOST)):
            processes.append(_start(nice))
        yield
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def _start(nice):
    def prepare():
        # They must not outlive a supervisor that is killed.
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setpriority(os.PRIO_PROCESS, 0, nice)

    command = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=True, preexec_fn=prepare)
