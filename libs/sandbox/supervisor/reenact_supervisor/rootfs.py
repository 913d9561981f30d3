"""The file system that candidates see: a tmpfs root with read-only binds and one writable work directory."""

import os

from . import linux

# Where the parts of a trial lie inside; equal for every trial, so that evidence holds no host path.
WORK = "/work"
SUBJECT = "/work/subject"
SCRIPT = "/work/script"
PROBE = "/work/probe"
PROBE_OUT = "/work/probe-out"
TOOLS = "/work/tools"
BYTECODE = "/work/bytecode"
HOME = "/work/home"
HOSTNAME = "reenact"

_SYSTEM_DIRECTORIES = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("ld.so.cache", "localtime", "alternatives", "protocols", "services", "mime.types")
_ETC_NETWORK = ("resolv.conf", "ssl", "ca-certificates", "pki")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_MADE_UP = {
    "passwd": "root:x:0:0:root:/nonexistent:/bin/false\nnobody:x:65534:65534:nobody:%s:/bin/sh\n" % HOME,
    "group": "root:x:0:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost %s\n::1 localhost\n::ffff:127.0.0.1 localhost\n" % HOSTNAME,
    "hostname": "%s\n" % HOSTNAME,
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n",
    "host.conf": "multi on\n",
}
_KEEP = {
    "nosuid": linux.MS_NOSUID,
    "nodev": linux.MS_NODEV,
    "noexec": linux.MS_NOEXEC,
    "noatime": linux.MS_NOATIME,
    "nodiratime": linux.MS_NODIRATIME,
    "relatime": linux.MS_RELATIME,
}


class RootPlan:
    """What goes where: `read_only` and `writable` are lists of (host path, inner path)."""

    def __init__(self, mount_point, read_only, writable, network, shm_bytes):
        self.mount_point = mount_point
        self.read_only = read_only
        self.writable = writable
        self.network = network
        self.shm_bytes = shm_bytes


def build(plan):
    """Makes the new root at `plan.mount_point` and pivots into it; needs CAP_SYS_ADMIN over the mount namespace."""
    root = plan.mount_point
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", root, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "mode=755,size=16m")
    for directory in _SYSTEM_DIRECTORIES:
        _system_directory(root, directory)
    _etc(root, plan.network)
    _devices(root, plan.shm_bytes)
    if os.path.isdir("/sys/devices/system"):
        _bind(root, "/sys/devices/system", "/sys/devices/system")
    # First the writable places: an interpreter may lie below one of them, such as /tmp.
    for source, target in plan.writable:
        _bind(root, source, target)
    for source, target in plan.read_only:
        bind_with_links(root, source, target)
    _read_only_below(root, [root + target for _, target in plan.writable])
    os.makedirs(root + "/proc", exist_ok=True)
    linux.mount("proc", root + "/proc", "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    _enter(root)


def _enter(root):
    os.chdir(root)
    linux.pivot_root(".", ".")
    linux.unmount_detached(".")
    os.chdir("/")
    linux.mount(None, "/", None, linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV)


def _system_directory(root, directory):
    if os.path.islink(directory):
        os.symlink(os.readlink(directory), root + directory)
    elif os.path.isdir(directory):
        _bind(root, directory, directory)


def _etc(root, network):
    os.makedirs(root + "/etc")
    for name, text in _MADE_UP.items():
        with open(os.path.join(root, "etc", name), "w") as handle:
            handle.write(text)
    for name in _ETC + (_ETC_NETWORK if network else ()):
        source = os.path.realpath(os.path.join("/etc", name))
        if os.path.exists(source):
            _bind(root, source, "/etc/" + name)


def _devices(root, shm_bytes):
    os.makedirs(root + "/dev")
    for name in _DEVICES:
        _bind(root, "/dev/" + name, "/dev/" + name)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(target, os.path.join(root, "dev", name))
    os.makedirs(root + "/dev/shm")
    flags = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("tmpfs", root + "/dev/shm", "tmpfs", flags, "mode=1777,size=%d" % shm_bytes)


def bind_with_links(root, source, target):
    """Binds `source`; a link on the way becomes the same link inside, so that paths resolve as they do outside."""
    if os.path.lexists(root + target) or not os.path.lexists(source):
        return
    if source == target and os.path.islink(source):
        _parents(root, target)
        os.symlink(os.readlink(source), root + target)
        return
    _bind(root, source, target)


def _parents(root, target):
    os.makedirs(os.path.dirname(root + target), exist_ok=True)


def _bind(root, source, target):
    path = root + target
    if os.path.isdir(source):
        os.makedirs(path, exist_ok=True)
    else:
        _parents(root, target)
        if not os.path.lexists(path):
            with open(path, "w"):
                pass
    linux.mount(source, path, None, linux.MS_BIND | linux.MS_REC)


def _read_only_below(root, writable):
    """Remounts every mount under the root read-only and without set-uid, keeping flags that are locked."""
    for path, options in _mounts_below(root):
        if path == root or path in writable or path.startswith(root + "/dev/"):
            continue
        flags = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV
        for option in options:
            flags |= _KEEP.get(option, 0)
        linux.mount(None, path, None, flags)


def _mounts_below(root):
    found = []
    with open("/proc/self/mountinfo", "rb") as handle:
        for line in handle:
            fields = line.split()
            path = os.fsdecode(_unescape(fields[4]))
            if path == root or path.startswith(root + "/"):
                found.append((path, os.fsdecode(fields[5]).split(",")))
    return found


def _unescape(path):
    """mountinfo writes space, tab, newline and backslash as three octal digits (proc(5))."""
    for escape, character in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        path = path.replace(escape, character)
    return path
