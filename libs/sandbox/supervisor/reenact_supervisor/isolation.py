"""Starts the inner init, in namespaces of its own where the system allows, else as a plain child.

As root the mounts are made with root's rights (interpreters may lie in closed folders) and then a user namespace is
entered that knows only uid 65534, which is unprivileged outside too. As an ordinary user the user namespace comes first.
"""

import os
import signal
import socket

from . import init, linux, rootfs
from .channel import Channel

INNER_ID = 65534
_NAMESPACES = ("mount", "pid", "ipc", "uts")
# Far above what it takes, since a machine may be busy.
_SET_UP_SECONDS = 60


class IsolationRefused(Exception):
    """The system does not allow the namespaces; the message says which call failed."""


class InitLost(Exception):
    """The init does not answer, or ended though nobody asked it to."""


class Init:
    """The running init: its process id outside, the channel to it and what isolates it."""

    def __init__(self, pid, channel, isolation):
        self.pid = pid
        self.channel = channel
        self.isolation = isolation


def start_isolated(plan, join_limits):
    """Forks the init into fresh namespaces; `join_limits(pid)` is called before anything runs in it.

    Raises IsolationRefused, InitLost."""
    ours, theirs = Channel.pair()
    middle = os.fork()
    if middle == 0:
        _run_child(ours, theirs, lambda: _middle(plan, theirs))
    theirs.close()
    message = _await(ours)
    os.waitpid(middle, 0)
    pid = message["pid"]
    try:
        join_limits(pid)
        ours.send({"go": True})
        message = _await(ours)
        if "map" in message:
            _write_maps(pid, INNER_ID, INNER_ID)
            ours.send({"go": True})
            message = _await(ours)
    except BaseException:
        kill_init(pid)
        raise
    return Init(pid, ours, message["isolation"])


def start_plain(work_directory, join_limits):
    """Forks an init without namespaces: it only adopts and reaps what candidates leave."""
    ours, theirs = Channel.pair()
    pid = os.fork()
    if pid == 0:
        _run_child(ours, theirs, lambda: _plain(work_directory, theirs))
    theirs.close()
    join_limits(pid)
    ours.send({"go": True})
    message = _await(ours)
    return Init(pid, ours, message["isolation"])


def kill_init(pid):
    """Kills the init; with a PID namespace the kernel then kills everything in it before the wait returns."""
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def _await(channel):
    channel.settimeout(_SET_UP_SECONDS)
    try:
        message, _ = channel.receive()
    except OSError as error:
        # A machine that is too busy to answer has refused nothing: the trial is repeated, never run without isolation.
        raise InitLost("the init does not answer: %s" % error)
    if message is None:
        raise IsolationRefused("the init ended during its set-up")
    if "error" in message:
        raise IsolationRefused(message["error"])
    return message


def _run_child(ours, theirs, body):
    """Runs `body` in a forked child and never returns into the parent's code."""
    try:
        ours.close()
        init.close_others(theirs.fileno())
        body()
        os._exit(0)
    except BaseException as error:
        try:
            theirs.send({"error": "%s: %s" % (type(error).__name__, error)})
        finally:
            os._exit(1)


def _middle(plan, channel):
    """Unshares and forks: the PID namespace begins with the child, which the supervisor adopts as subreaper."""
    flags = linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS
    if not plan.network:
        flags |= linux.CLONE_NEWNET
    if os.geteuid() == 0:
        linux.unshare(flags)
    else:
        uid, gid = os.geteuid(), os.getegid()
        linux.unshare(linux.CLONE_NEWUSER)
        with open("/proc/self/setgroups", "w") as handle:
            handle.write("deny")
        _write_maps("self", uid, gid)
        linux.unshare(flags)
    pid = os.fork()
    if pid != 0:
        channel.send({"pid": pid})
        return
    _inner(plan, channel)
    os._exit(0)


def _inner(plan, channel):
    """PID 1 of the namespaces: builds the root, gives up every right, then serves."""
    _expect_go(channel)
    as_root = os.geteuid() == 0
    os.setsid()
    rootfs.build(plan)
    socket.sethostname(rootfs.HOSTNAME)
    if not plan.network:
        linux.bring_loopback_up()
    if as_root:
        os.setgroups([])
        linux.unshare(linux.CLONE_NEWUSER)
        channel.send({"map": True})
        _expect_go(channel)
        os.setresgid(INNER_ID, INNER_ID, INNER_ID)
        os.setresuid(INNER_ID, INNER_ID, INNER_ID)
    linux.leave_session_keyring()
    isolation = ["user"] + list(_NAMESPACES) + ([] if plan.network else ["network"]) + ["uid=%d" % INNER_ID]
    if _forbid_nested_user_namespaces():
        isolation.append("no-nested-user-namespaces")
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    isolation += ["no-capabilities", "no-new-privileges"]
    init.serve(channel, isolation)


def _plain(work_directory, channel):
    _expect_go(channel)
    os.chdir(work_directory)
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    init.serve(channel, ["no-new-privileges"])


def _expect_go(channel):
    message, _ = channel.receive()
    if message is None:
        os._exit(1)


def _write_maps(pid, uid, gid):
    for name, outer in (("uid_map", uid), ("gid_map", gid)):
        with open("/proc/%s/%s" % (pid, name), "w") as handle:
            handle.write("%d %d 1" % (INNER_ID, outer))


def _forbid_nested_user_namespaces():
    """The limit belongs to the user namespace of the writer (user_namespaces(7)), not to the host."""
    try:
        with open("/proc/sys/user/max_user_namespaces", "w") as handle:
            handle.write("0")
        return True
    except OSError:
        return False
