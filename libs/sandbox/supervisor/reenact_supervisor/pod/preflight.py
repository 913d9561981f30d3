"""Checks before a run that the node gave the pod what was asked for: what is missing would look like a fault of the script.

Every check that is left out says so among the facts.
"""

import json
import os
import subprocess
import sys
import time

from .memory import memory_limit

_SHARED_MEMORY = "/dev/shm"
_SAMPLE = b"reenact" * 8192
# Limits are rounded to pages, 64 KiB at most.
_ROUNDING_BYTES = 64 * 1024
# The first use of a driver may take a minute on a node that was just started; the executor’s clock runs meanwhile.
_GPU_SECONDS = 90
_LOOK_SECONDS = 0.1
_GPU_CHECK = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "gpu_check.py"
)


class NodeUnfit(Exception):
    """The node lacks what was asked for; the message says what."""


def check_node(needs, scratch, prefix, check_stop=lambda: None):
    """Facts for the evidence. `needs` has `scratchBytes`, `sharedMemoryBytes`, `memoryBytes`, `gpus` and `limitMayHide` (a
    sandboxed runtime may show no limits); `prefix` is the environment under test. Raises NodeUnfit."""
    _check_space(scratch, needs["scratchBytes"], available=True)
    if not os.path.ismount(_SHARED_MEMORY):
        raise NodeUnfit("%s is no volume of its own" % _SHARED_MEMORY)
    _check_space(_SHARED_MEMORY, needs["sharedMemoryBytes"], available=False)
    return _check_memory(needs["memoryBytes"], needs["limitMayHide"]) + _check_gpus(needs["gpus"], prefix, check_stop)


def _check_space(directory, least_bytes, available):
    """Whether it can be written to, and has room."""
    path = os.path.join(directory, ".reenact-check-%d" % os.getpid())
    try:
        with open(path, "xb") as handle:
            handle.write(_SAMPLE)
            handle.flush()
            os.fsync(handle.fileno())
        with open(path, "rb") as handle:
            if handle.read() != _SAMPLE:
                raise NodeUnfit("%s gives back other bytes than were written" % directory)
        os.unlink(path)
        system = os.statvfs(directory)
    except OSError as error:
        raise NodeUnfit("%s cannot be written to: %s" % (directory, error))
    room = (system.f_bavail if available else system.f_blocks) * system.f_frsize
    if room + _ROUNDING_BYTES < least_bytes:
        raise NodeUnfit("%s has %d bytes of room, and %d were asked for" % (directory, room, least_bytes))


def _check_memory(asked, may_hide):
    limit = memory_limit()
    if limit is None:
        if may_hide:
            return ["memory-limit=hidden"]
        raise NodeUnfit("the container shows no limit of memory")
    if abs(limit - asked) > _ROUNDING_BYTES:
        raise NodeUnfit("the limit of memory is %d bytes, and %d were asked for" % (limit, asked))
    return []


def _check_gpus(count, prefix, check_stop):
    if count == 0:
        return ["gpu-check=skipped: no GPU asked for"]
    output = run_check([sys.executable, "-I", "-S", "-B", _GPU_CHECK, str(count), prefix], _GPU_SECONDS, check_stop)
    try:
        found = json.loads(output.decode("utf-8", "replace").strip().rpartition("\n")[2])
        problem, facts = found.get("problem"), found.get("facts")
    except (ValueError, AttributeError):
        raise NodeUnfit("the check of GPUs said nothing that can be read: %r" % output[-200:])
    if problem is not None or not isinstance(facts, list):
        raise NodeUnfit(str(problem))
    return [str(fact) for fact in facts]


def run_check(command, seconds, check_stop):
    """Standard output of a check; it is killed when its time is over. Raises NodeUnfit."""
    deadline = time.monotonic() + seconds
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                output, _ = child.communicate(timeout=_LOOK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                check_stop()
                if time.monotonic() > deadline:
                    raise NodeUnfit("the check of GPUs hangs: killed after %d s" % seconds)
    finally:
        child.kill()
        child.stdout.close()
        child.wait()
    if child.returncode != 0:
        raise NodeUnfit("the check of GPUs ended with status %d" % child.returncode)
    return output
