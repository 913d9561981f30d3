"""The trial's directory on the host: made fresh, locked while in use, removed at the end, swept when left by a crash."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import time

from .tree import SubjectCopy

_PREFIX = "trial-"
_WRITABLE = ("probe-out", "home", "tmp")


class Busy(Exception):
    """The same execution runs already."""


class Workspace:
    def __init__(self, work_directory, execution_id):
        os.makedirs(work_directory, exist_ok=True)
        _sweep(work_directory)
        name = _PREFIX + hashlib.sha256(execution_id.encode()).hexdigest()[:16]
        self.path = os.path.join(os.path.realpath(work_directory), name)
        self._lock = _own(self.path + ".lock")
        if self._lock is None:
            raise Busy(execution_id)
        remove_tree(self.path)
        os.mkdir(self.path, 0o755)
        os.mkdir(self.of("root"))

    def of(self, name):
        return os.path.join(self.path, name)

    def fill(self, request, owner):
        """Copies the subject and the script, makes the writable places; returns the SubjectCopy."""
        for name in _WRITABLE:
            os.mkdir(self.of(name), 0o700)
            if owner is not None:
                os.chown(self.of(name), *owner)
        os.mkdir(self.of("tools"), 0o755)
        copy_readable(request.script_directory, self.of("script"))
        return SubjectCopy(request.subject_directory, self.of("subject"), owner)

    def writable_places(self):
        return [self.of(name) for name in ("subject",) + _WRITABLE]

    def remove(self):
        remove_tree(self.path)
        os.unlink(self.path + ".lock")
        os.close(self._lock)


def copy_readable(source, target, skip=()):
    """Copies a small tree so that every user may read it; links are followed only as files of the tree itself."""
    os.makedirs(target, mode=0o755, exist_ok=True)
    if not os.path.isdir(source):
        return
    for root, directories, files in os.walk(source):
        directories[:] = sorted(name for name in directories if name not in skip)
        inner = os.path.normpath(os.path.join(target, os.path.relpath(root, source)))
        os.makedirs(inner, mode=0o755, exist_ok=True)
        for name in sorted(files):
            path = os.path.join(root, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            shutil.copyfile(path, os.path.join(inner, name))
            executable = os.stat(path).st_mode & 0o111
            os.chmod(os.path.join(inner, name), 0o755 if executable else 0o644)


class DiskMeter:
    """Measures disk use below some places (blocks, as the disk counts them) in slices, so that a tree of millions of
    files never holds up the watch. Follows no link."""

    def __init__(self, places):
        self._places = places
        self._walk = None
        self.used_bytes = 0

    def work(self, seconds):
        """Goes on measuring for about `seconds`; True when a whole measurement is done and `used_bytes` is new.

        What one measurement has found so far already counts when it is more than the last one found."""
        if self._walk is None:
            self._walk = _measure(list(self._places))
        deadline = time.monotonic() + seconds
        for total, whole in self._walk:
            self.used_bytes = total if whole else max(self.used_bytes, total)
            if whole:
                self._walk = None
                return True
            if time.monotonic() >= deadline:
                return False
        return False


def used_bytes(places):
    """Disk use below the places in bytes, measured in one go."""
    meter = DiskMeter(places)
    while not meter.work(60):
        pass
    return meter.used_bytes


def _measure(pending):
    """Yields (bytes so far, False) now and then and (bytes, True) at the end."""
    total, seen = 0, 0
    while pending:
        try:
            descriptor = os.open(pending.pop(), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            path = os.readlink("/proc/self/fd/%d" % descriptor)
            with os.scandir(descriptor) as entries:
                for entry in entries:
                    total += _entry_bytes(entry)
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(os.path.join(path, entry.name))
                    seen += 1
                    if seen % 64 == 0:
                        yield total, False
        except OSError:
            pass
        finally:
            os.close(descriptor)
    yield total, True


def _entry_bytes(entry):
    try:
        return entry.stat(follow_symlinks=False).st_blocks * 512
    except OSError:
        return 0


def remove_tree(path):
    """Removes a tree that hostile code may have filled; nothing of it may run any more.

    Where the quick way fails (closed folders, depth beyond recursion or PATH_MAX) the system's own tools, which walk by
    descriptor and follow no link, take over."""
    if not os.path.lexists(path):
        return
    try:
        shutil.rmtree(path)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwx", "--", path], ["rm", "-rf", "--", path]):
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _own(path, patience_seconds=2.0):
    """The lock of a trial, or None while another supervisor runs that trial.

    A sweep may hold a lock for a moment, or remove its file between our opening and our locking it: then it is tried
    again, until the locked file is the one that the path names."""
    deadline = time.monotonic() + patience_seconds
    while True:
        descriptor = _lock(path, os.O_CREAT)
        if descriptor is not None:
            try:
                if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                    return descriptor
            except OSError:
                pass
            os.close(descriptor)
        elif time.monotonic() > deadline:
            return None
        time.sleep(0.01)


def _lock(path, flags=0):
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return descriptor
    except OSError:
        os.close(descriptor)
        return None


def _sweep(work_directory):
    """Removes what a supervisor that was killed left behind: trial directories whose lock is free."""
    for name in os.listdir(work_directory):
        if not (name.startswith(_PREFIX) and name.endswith(".lock")):
            continue
        path = os.path.join(work_directory, name)
        try:
            descriptor = _lock(path)
        except OSError:
            continue
        if descriptor is None:
            continue
        try:
            # one that was locked after its owner had removed it is nobody's, and the path may be another owner's by now
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                remove_tree(path[: -len(".lock")])
                os.unlink(path)
        except OSError:
            pass
        finally:
            os.close(descriptor)
