"""A control group of the trial's own where the system lets us make one: version 2 when delegated, else version 1.

Without one the watch samples memory and counts processes itself.
"""

import os
import re
import time

_NAME = "reenact-%d"
_OURS = re.compile(r"reenact-(\d+)\Z")
_REMOVE_TRIES = 200


class ControlGroup:
    """`directories` maps a controller (`memory`, `pids`) to the directory that holds it."""

    def __init__(self, directories, version):
        self._directories = directories
        self._version = version

    @property
    def controllers(self):
        return sorted(self._directories)

    def add(self, pid):
        for directory in set(self._directories.values()):
            _write(os.path.join(directory, "cgroup.procs"), str(pid))

    def limit(self, memory_bytes, tasks):
        """Sets the limits; swap would only delay the end, so it is not granted where it is counted."""
        memory, pids = self._directories.get("memory"), self._directories.get("pids")
        if memory is not None and self._version == 2:
            _write(os.path.join(memory, "memory.max"), str(memory_bytes))
            _try_write(os.path.join(memory, "memory.swap.max"), "0")
        elif memory is not None:
            _write(os.path.join(memory, "memory.limit_in_bytes"), str(memory_bytes))
            _try_write(os.path.join(memory, "memory.memsw.limit_in_bytes"), str(memory_bytes))
        if pids is not None:
            _write(os.path.join(pids, "pids.max"), str(tasks))

    def forbid_forks(self):
        """From now on nothing in the group can fork: a bomb cannot outrun its killer."""
        pids = self._directories.get("pids")
        if pids is not None:
            _try_write(os.path.join(pids, "pids.max"), "0")

    def out_of_memory_kills(self):
        """How many processes the kernel killed at the memory limit; `failcnt` would count mere reclaim too."""
        name = "memory.events" if self._version == 2 else "memory.oom_control"
        return self._counter("memory", name, "oom_kill")

    def refused_forks(self):
        """How many forks the kernel refused at the task limit."""
        return self._counter("pids", "pids.events", "max")

    def _counter(self, controller, name, key):
        directory = self._directories.get(controller)
        if directory is None:
            return 0
        for line in _read(os.path.join(directory, name)).splitlines():
            words = line.split()
            if len(words) == 2 and words[0] == key:
                return int(words[1])
        return 0

    def remove(self):
        """The kernel lets the directory go only when the last task is really gone."""
        for directory in set(self._directories.values()):
            for _ in range(_REMOVE_TRIES):
                try:
                    os.rmdir(directory)
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.005)


def create(memory_bytes, tasks):
    """Returns a limited ControlGroup, or None where none can be made."""
    for make in (_version_two, _version_one):
        group = None
        try:
            group = make(_NAME % os.getpid())
            if group is not None:
                group.limit(memory_bytes, tasks)
                return group
        except OSError:
            if group is not None:
                group.remove()
    return None


def _version_two(name):
    own = _own_path("")
    mount = _mount_point("cgroup2", None)
    if own is None or mount is None:
        return None
    parent = _existing(mount, own)
    if not {"memory", "pids"} <= set(_read(os.path.join(parent, "cgroup.controllers")).split()):
        return None
    _try_write(os.path.join(parent, "cgroup.subtree_control"), "+memory +pids")
    directory = _make(parent, name)
    if os.path.exists(os.path.join(directory, "memory.max")) and os.path.exists(os.path.join(directory, "pids.max")):
        return ControlGroup({"memory": directory, "pids": directory}, 2)
    os.rmdir(directory)
    return None


def _version_one(name):
    directories = {}
    for controller in ("memory", "pids"):
        own, mount = _own_path(controller), _mount_point("cgroup", controller)
        if own is None or mount is None:
            continue
        try:
            directories[controller] = _make(_existing(mount, own), name)
        except OSError:
            pass
    return ControlGroup(directories, 1) if directories else None


def _make(parent, name):
    _sweep(parent)
    directory = os.path.join(parent, name)
    os.mkdir(directory)
    return directory


def _sweep(parent):
    """Removes empty groups whose supervisor is gone."""
    for entry in os.listdir(parent):
        match = _OURS.match(entry)
        if match and not os.path.exists("/proc/" + match.group(1)):
            try:
                os.rmdir(os.path.join(parent, entry))
            except OSError:
                pass


def _own_path(controller):
    """Path of our own group in the hierarchy of a controller; the empty name is version 2 (cgroups(7))."""
    for line in _read("/proc/self/cgroup").splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return path
    return None


def _mount_point(kind, controller):
    for line in _read("/proc/self/mountinfo").splitlines():
        left, _, right = line.partition(" - ")
        words = right.split()
        if len(words) >= 3 and words[0] == kind and (controller is None or controller in words[2].split(",")):
            return left.split()[4]
    return None


def _existing(mount, path):
    """Inside a container the path may be told from the host's root; then the mount itself is our group."""
    full = os.path.join(mount, path.lstrip("/"))
    return full if os.path.isdir(full) else mount


def _read(path):
    try:
        with open(path) as handle:
            return handle.read()
    except OSError:
        return ""


def _write(path, text):
    with open(path, "w") as handle:
        handle.write(text)


def _try_write(path, text):
    try:
        _write(path, text)
    except OSError:
        pass
