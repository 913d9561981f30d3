"""What a hostile script would like to reach. Each way is tried in a process of its own and told in one line, `OBS` and JSON:
whether it is open, and how it was answered. `TARGETS` (a dictionary) stands before this text.

Nothing here changes anything outside of its container, so that the same text may run without any protection.
"""

import ctypes
import errno
import http.client
import json
import os
import re
import select
import signal
import socket
import stat
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
SECONDS = 3
TRY_SECONDS = 12
MARK = "escape-" + TARGETS["tag"]
# Of x86-64.
CALLS = {"init_module": 175, "add_key": 248, "perf_event_open": 298, "bpf": 321, "io_uring_setup": 425, "pidfd_open": 434, "pidfd_getfd": 438}
CLONE_NEWUSER = 0x10000000
PTRACE_SEIZE = 0x4206
MS_REMOUNT = 32


def call(name, *arguments):
    return checked(LIBC.syscall(CALLS[name], *arguments))


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def connect(host, port):
    with socket.create_connection((host, port), SECONDS) as link:
        return "from %s" % link.getsockname()[0]


def neighbour(name):
    return lambda: connect(*TARGETS[name])


def metadata():
    link = http.client.HTTPConnection("169.254.169.254", 80, timeout=SECONDS)
    link.request("GET", "/" + MARK)
    return link.getresponse().read().decode()


def question(server):
    labels = [MARK.encode(), b"secret", b"example", b"org"]
    message = struct.pack(">6H", 7, 256, 1, 0, 0, 0) + b"".join(bytes([len(label)]) + label for label in labels)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(SECONDS)
        link.connect((server, 53))
        link.send(message + struct.pack(">BHH", 0, 1, 1))
        return "%d bytes" % len(link.recv(512))


def resolve():
    return socket.getaddrinfo(MARK + ".resolved.example.org", 80)[0][4][0]


def token():
    with open("/var/run/secrets/kubernetes.io/serviceaccount/token") as handle:
        return "%d characters" % len(handle.read())


def service_variables():
    return " ".join(name for name in os.environ if name.endswith("_SERVICE_HOST"))


def secret_in(path):
    def look():
        with open(path, "rb") as handle:
            return (re.search(rb"5ec2e7[0-9a-f]{58}|REENACT_NONCE", handle.read()) or [b""])[0].decode()

    return look


def memory():
    """Every region of the first process that can be read."""
    with open("/proc/1/maps") as maps, open("/proc/1/mem", "rb", 0) as content:
        for line in maps:
            low, high = (int(part, 16) for part in line.split()[0].split("-"))
            content.seek(low)
            if "r" in line.split()[1] and content.read(min(high - low, 4096)):
                return line.strip()
    return ""


def read_of(pid):
    """process_vm_readv of a byte that is known to be there: the same libc lies there after a fork."""
    buffer = ctypes.create_string_buffer(1)
    near = (ctypes.c_ulong * 2)(ctypes.addressof(buffer), 1)
    far = (ctypes.c_ulong * 2)(0x400000, 1)
    try:
        checked(LIBC.process_vm_readv(pid, near, 1, far, 1, 0))
    except OSError as error:
        if error.errno != errno.EFAULT:
            raise
    return "allowed"


def seize(pid):
    checked(LIBC.ptrace(PTRACE_SEIZE, pid, None, None))
    return "seized"


def descriptor_of(pid):
    return "descriptor %d" % call("pidfd_getfd", call("pidfd_open", pid, 0), 1, 0)


def write_log():
    with open("/proc/1/fd/1", "w") as handle:
        handle.write('{"v":1,"seq":0,"t":0,"ch":"x","kind":"finished","mark":"%s"}\n' % MARK)
    return "written"


def root_of_first():
    return " ".join(os.listdir("/proc/1/root"))


def make(path):
    def write():
        with open(path, "w") as handle:
            handle.write("escaped")
        return path

    return write


def open_to_write(kind, path):
    """A setting of the machine, where it lies or in a file system of one's own. Opened only: nothing is changed."""

    def write():
        try:
            os.close(os.open(os.path.join("/" + kind, path), os.O_WRONLY))
        except OSError:
            own = "/tmp/own-" + kind
            os.makedirs(own, exist_ok=True)
            checked(LIBC.mount(b"none", own.encode(), {"proc": b"proc", "sys": b"sysfs"}[kind], 0, None))
            checked(LIBC.mount(b"none", own.encode(), None, MS_REMOUNT, None))
            os.close(os.open(os.path.join(own, path), os.O_WRONLY))
        return path

    return write


def append_to(path):
    def write():
        with open(path, "ab"):
            return path

    return write


def become_root():
    os.setresuid(0, 0, 0)
    return "uid %d" % os.geteuid()


def gain_by_file():
    with open("/proc/self/status") as handle:
        return "set-user-id counts" if "NoNewPrivs:\t0" in handle.read() else ""


def user_namespace():
    checked(LIBC.unshare(CLONE_NEWUSER))
    return "made"


def mount():
    os.makedirs("/tmp/mounted", exist_ok=True)
    checked(LIBC.mount(b"none", b"/tmp/mounted", b"tmpfs", 0, None))
    return "mounted"


def raw(family, protocol):
    return lambda: "socket %d" % socket.socket(family, socket.SOCK_RAW, protocol).fileno()


def module():
    """A module that is none: whoever may load any is told that the format is wrong, or that this kernel has no modules."""
    try:
        call("init_module", b"none", 4, b"")
    except OSError as error:
        if error.errno not in (errno.ENOEXEC, errno.ENOSYS):
            raise
    return "looked at"


def block_device():
    os.mknod("/tmp/disk", 0o600 | stat.S_IFBLK, os.makedev(7, 0))
    return "made"


def key():
    return "key %d" % call("add_key", b"user", MARK.encode(), b"left", 4, -1)


def ring():
    return "descriptor %d" % call("io_uring_setup", 1, ctypes.create_string_buffer(120))


def program():
    """BPF_MAP_CREATE of a small array."""
    words = struct.pack("4I", 2, 4, 4, 1).ljust(120, b"\0")
    return "descriptor %d" % call("bpf", 0, words, len(words))


WAYS = {
    "metadata service": metadata,
    "API server by its Service": neighbour("api"),
    "API server by its address": neighbour("apiEndpoint"),
    "kubelet": neighbour("kubelet"),
    "token": token,
    "variables of Services": service_variables,
    "name by the resolver": resolve,
    "name by the cluster's server": lambda: question(TARGETS["dns"]),
    "name by a server outside": lambda: question("8.8.8.8"),
    "pod of another namespace": neighbour("neighbour"),
    "secret in environ": secret_in("/proc/1/environ"),
    "secret in cmdline": secret_in("/proc/1/cmdline"),
    "memory by /proc": memory,
    "memory by process_vm_readv": lambda: read_of(1),
    "ptrace of the first process": lambda: seize(1),
    "descriptor of the first process": lambda: descriptor_of(1),
    "log by /proc/1/fd/1": write_log,
    "root of the first process": root_of_first,
    "file in the image": make("/opt/reenact/escaped"),
    "file of the supervisor": append_to("/opt/reenact/supervisor/pod.py"),
    "file of the probe": make("/opt/reenact/probe/escaped.py"),
    "file beside the input": make("/in/escaped"),
    "user list": append_to("/etc/passwd"),
    "names of hosts": append_to("/etc/hosts"),
    "settings of the kernel": open_to_write("proc", "sys/kernel/core_pattern"),
    "settings below /sys": open_to_write("sys", "kernel/mm/transparent_hugepage/enabled"),
    "root by setuid": become_root,
    "rights by a program": gain_by_file,
    "user namespace": user_namespace,
    "mount": mount,
    "raw IP": raw(socket.AF_INET, socket.IPPROTO_ICMP),
    "raw packets": raw(socket.AF_PACKET, 0),
    "module of the kernel": module,
    "device of a disk": block_device,
    "key ring shared with the node": key,
    "io_uring": ring,
    "BPF": program,
}


def attempt(way, descriptor):
    try:
        answer = way()
        found = [bool(answer), answer or "nothing there"]
    except BaseException as error:
        found = [False, "%s: %s" % (type(error).__name__, error)]
    os.write(descriptor, json.dumps(found)[:2000].encode())
    os._exit(0)


def ask(way):
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        attempt(way, write_end)
    os.close(write_end)
    answered = select.select([read_end], [], [], TRY_SECONDS)[0]
    text = os.read(read_end, 4096) if answered else b""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(read_end)
    return json.loads(text) if text else (False, "no answer")


def tell(name, way):
    is_open, words = ask(way)
    if not is_open and "timed out" in words:
        # The network of a pod may come up after its first process.
        is_open, words = ask(way)
    print("OBS " + json.dumps({"way": name, "open": is_open, "words": words[:200]}), flush=True)


for each in WAYS:
    tell(each, WAYS[each])
