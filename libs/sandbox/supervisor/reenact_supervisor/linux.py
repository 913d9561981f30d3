"""Thin wrappers over the Linux calls that the standard library lacks (before Python 3.12)."""

import ctypes
import fcntl
import os
import socket
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_NOATIME = 1024
MS_NODIRATIME = 2048
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MS_RELATIME = 1 << 21
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "ppc64le": 203, "s390x": 217}
_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "ppc64le": 271, "s390x": 280}
_TGKILL = {"x86_64": 234, "aarch64": 131, "riscv64": 131, "ppc64le": 250, "s390x": 241}
_KEYCTL_JOIN_SESSION_KEYRING = 1
# _LINUX_CAPABILITY_VERSION_3 of linux/capability.h: two 32-bit words per set.
_CAPABILITY_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))


def unshare(flags):
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare 0x%x" % flags)


def mount(source, target, kind=None, flags=0, data=None):
    encode = lambda text: None if text is None else os.fsencode(text)  # noqa: E731
    result = _libc.mount(encode(source), encode(target), encode(kind), ctypes.c_ulong(flags), encode(data))
    _check(result, "mount %s on %s" % (source, target))


def unmount_detached(target):
    _check(_libc.umount2(os.fsencode(target), MNT_DETACH), "umount %s" % target)


def pivot_root(new_root, put_old):
    number = _PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(38, "pivot_root: unknown machine %s" % os.uname().machine)
    _check(_libc.syscall(ctypes.c_long(number), os.fsencode(new_root), os.fsencode(put_old)), "pivot_root")


def prctl(option, argument=0):
    zero = ctypes.c_ulong(0)
    _check(_libc.prctl(ctypes.c_int(option), ctypes.c_ulong(argument), zero, zero, zero), "prctl %d" % option)


def drop_capabilities():
    """Empties the bounding, ambient, inheritable, permitted and effective sets of the calling thread."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break
    try:
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    except OSError:
        pass
    header = struct.pack("Ii", _CAPABILITY_VERSION, 0)
    _check(_libc.capset(ctypes.c_char_p(header), ctypes.c_char_p(bytes(24))), "capset")


def leave_session_keyring():
    """Joins a new session keyring, so that no key of the host's session can be read (keyctl(2)); no error where it fails."""
    number = _KEYCTL.get(os.uname().machine)
    if number is not None:
        _libc.syscall(ctypes.c_long(number), ctypes.c_long(_KEYCTL_JOIN_SESSION_KEYRING), None)


def bring_loopback_up():
    """Sets IFF_UP | IFF_RUNNING on `lo`; numbers from linux/sockios.h and linux/if.h."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))


def signal_thread(pid, thread, number):
    """Sends a signal to one thread of a process (tgkill(2)). Raises OSError."""
    call = _TGKILL.get(os.uname().machine)
    if call is None:
        raise OSError(38, "tgkill: unknown machine %s" % os.uname().machine)
    result = _libc.syscall(ctypes.c_long(call), ctypes.c_int(pid), ctypes.c_int(thread), ctypes.c_int(number))
    _check(result, "tgkill %d" % number)


def kernel_version():
    """(major, minor) of the running kernel."""
    numbers = os.uname().release.split("-")[0].split(".")
    try:
        return int(numbers[0]), int(numbers[1])
    except (ValueError, IndexError):
        return 0, 0
