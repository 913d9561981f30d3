"""The trial's processes as /proc shows them: the tree below the init, its use of memory and CPU, and killing it."""

import os
import signal
import time

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_HAS_CHILDREN_FILE = os.path.exists("/proc/thread-self/children")
# A candidate may fork while it is being killed; each round kills what the last one saw.
_KILL_ROUNDS = 400
_MARKED_ROUNDS = 20


class ProcessState:
    """One process: id outside, start time (ticks since boot, tells reused ids apart), CPU seconds, bytes, threads."""

    __slots__ = ("pid", "parent", "start", "state", "cpu", "rss", "threads", "name")

    def __init__(self, pid, fields, name):
        self.pid = pid
        self.name = name
        self.state = fields[0]
        self.parent = int(fields[1])
        self.cpu = sum(int(field) for field in fields[11:15]) / _TICKS
        self.threads = int(fields[17])
        self.start = int(fields[19])
        self.rss = int(fields[21]) * _PAGE


def read_state(pid):
    """Returns the ProcessState of a process or None when it is gone; fields as in proc(5), /proc/pid/stat."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as handle:
            text = handle.read().decode("utf-8", "replace")
    except OSError:
        return None
    close = text.rfind(")")
    return ProcessState(pid, text[close + 2 :].split(), text[text.find("(") + 1 : close])


def descendants(root, at_most=20000):
    """Ids of every process below `root`, parents first."""
    children_of = _children_by_file if _HAS_CHILDREN_FILE else _children_by_scan()
    found, queue = [], [root]
    while queue and len(found) < at_most:
        for child in children_of(queue.pop(0)):
            found.append(child)
            queue.append(child)
    return found


def _children_by_file(pid):
    children = []
    try:
        for thread in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, thread)) as handle:
                children += [int(word) for word in handle.read().split()]
    except OSError:
        pass
    return children


def _children_by_scan():
    by_parent = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            state = read_state(int(name))
            if state is not None:
                by_parent.setdefault(state.parent, []).append(state.pid)
    return lambda pid: by_parent.get(pid, [])


def inner_pid(pid):
    """The id that the process has in its own PID namespace, or None when it is gone."""
    try:
        with open("/proc/%d/status" % pid) as handle:
            for line in handle:
                if line.startswith("NSpid:"):
                    return int(line.split()[-1])
    except (OSError, ValueError):
        pass
    return None


def proportional_bytes(pid):
    """Proportional set size: shared pages counted once over their sharers; None where it may not be read."""
    try:
        with open("/proc/%d/smaps_rollup" % pid) as handle:
            for line in handle:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None


def wait_channel(pid):
    """The kernel function in which the process, or the thread `PID/task/TID`, sleeps; empty when unknown."""
    try:
        with open("/proc/%s/wchan" % pid) as handle:
            return handle.read().strip()
    except OSError:
        return ""


def waiting_thread(pid):
    """A thread beside the main one that waits for a lock: the C library goes on with that wait after any signal, while a
    poll of the main thread may end in an error (signal(7)). None where there is no such thread, or none can be seen."""
    try:
        threads = sorted(int(name) for name in os.listdir("/proc/%d/task" % pid))
    except OSError:
        return None
    others = (thread for thread in threads if thread != pid)
    return next((thread for thread in others if wait_channel("%d/task/%d" % (pid, thread)).startswith("futex")), None)


def catches(pid, number):
    """Whether the process has a handler for a signal; sent to one that has none, a real-time signal would end it."""
    try:
        with open("/proc/%d/status" % pid) as handle:
            for line in handle:
                if line.startswith("SigCgt:"):
                    return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    except (OSError, ValueError):
        pass
    return False


def is_busy(pid):
    """Whether any thread of the process is runnable or waits for a disk: then it works, however little CPU it gets."""
    try:
        threads = os.listdir("/proc/%d/task" % pid)
    except OSError:
        return False
    for thread in threads:
        try:
            with open("/proc/%d/task/%s/stat" % (pid, thread), "rb") as handle:
                text = handle.read()
        except OSError:
            continue
        if text[text.rfind(b")") + 2 : text.rfind(b")") + 3] in (b"R", b"D"):
            return True
    return False


def kill_descendants(root):
    """Kills everything below `root` until nothing is left; returns how many were killed. Reaps own children."""
    killed = set()
    for _ in range(_KILL_ROUNDS):
        alive = [pid for pid in descendants(root) if not _is_zombie(pid)]
        # Stopped first, so that nothing forks between the look and the kill.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in alive:
                try:
                    os.kill(pid, number)
                except OSError:
                    pass
        killed.update(alive)
        _reap_own()
        if not alive and not descendants(root):
            break
        time.sleep(0.005)
    return len(killed)


def kill_quietly(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def kill_marked(marker):
    """Kills processes that carry the trial's marker in their environment: the last resort without a PID namespace."""
    for _ in range(_MARKED_ROUNDS):
        if not _kill_marked_once(marker):
            return


def _kill_marked_once(marker):
    found = False
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open("/proc/%s/environ" % name, "rb") as handle:
                marked = marker in handle.read().split(b"\0")
        except OSError:
            continue
        if marked:
            found = True
            kill_quietly(int(name))
    return found


def _is_zombie(pid):
    state = read_state(pid)
    return state is None or state.state in ("Z", "X")


def _reap_own():
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return
