"""Keeps the supervisor apart from the script that runs beside it under the same user."""

import os
import resource
import signal

from .. import linux

_OUTSIDE = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# What kill(2) makes. Nobody may send another process this code with a sender of his own choice (rt_sigqueueinfo(2)).
_SI_USER = 0


class StoppedFromOutside(BaseException):
    """The cluster ends this pod."""


def take_secret(name):
    """A variable that nothing below this process may see. It stays in the memory that /proc/1/environ shows, which is
    closed by `protect`."""
    return os.environ.pop(name, "")


def protect():
    """Closes this process's memory and descriptors to others of its user, and holds signals back until they are asked for.

    What starts processes resets the mask for them."""
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, _OUTSIDE)


def check_signals():
    """Raises StoppedFromOutside where the runtime asked for the end: its signal has no sender that this pod could see. One
    from inside is a script's, and stops nothing, whatever sender it names."""
    while True:
        received = signal.sigtimedwait(_OUTSIDE, 0)
        if received is None:
            return
        if received.si_pid == 0 and received.si_code == _SI_USER:
            raise StoppedFromOutside()


def limits():
    """Limits of this process. Others of its user may lower them (prlimit(2)), so that it would see less than there is."""
    names = sorted(name for name in dir(resource) if name.startswith("RLIMIT_"))
    return {name: resource.getrlimit(getattr(resource, name)) for name in names}


class LimitsChanged(Exception):
    """Somebody in the pod has changed what this process may use."""


def check_limits(before):
    """Raises LimitsChanged where a limit is another one than before the script ran."""
    changed = [name for name, value in limits().items() if value != before[name]]
    if changed:
        raise LimitsChanged("the limits of the supervisor were changed: %s" % ", ".join(changed))


def kill_all_others():
    """Ends whatever else lives in the pod: it could write over the last words. Only the first process may do that."""
    if os.getpid() == 1:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass


def facts():
    """What of the pod's isolation this process can see for itself, in the words of the BEGIN record."""
    status = {}
    with open("/proc/self/status") as handle:
        for line in handle:
            name, _, value = line.partition(":")
            status[name] = value.strip()
    found = ["uid=%d" % os.geteuid()]
    if int(status.get("CapEff", "1"), 16) == 0 and int(status.get("CapBnd", "1"), 16) == 0:
        found.append("no-capabilities")
    if status.get("NoNewPrivs") == "1":
        found.append("no-new-privileges")
    if status.get("Seccomp") == "2":
        found.append("system-calls-filtered")
    if os.statvfs("/").f_flag & os.ST_RDONLY:
        found.append("read-only-root")
    return found
