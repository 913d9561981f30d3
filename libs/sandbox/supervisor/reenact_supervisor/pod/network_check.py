"""Proves that this pod is cut off: tries to reach a listener that answers everybody, and must fail.

The executor vouches for the listener (`canary.ts`): it was asked before the execution was made and is asked again at the end.
"""

import errno
import ipaddress
import os
import select
import socket
import struct
import time

# Two tries of the system's own lie within: the second follows after a second (RFC 6298).
_ATTEMPT_SECONDS = 1.5
_PAUSE_SECONDS = 0.5
# Linux, <linux/in.h>, <linux/in6.h>, <linux/errqueue.h>.
_IP_RECVERR = 11
_IPV6_RECVERR = 25
_FROM_NETWORK = (2, 3)
_NO_WAY = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EACCES, errno.EPERM, errno.ETIMEDOUT)


class NotIsolated(Exception):
    """What policy must block was reached, or it cannot be told; the message says which."""


def prove_isolation(canary, check_stop=lambda: None, monotonic=time.monotonic, pause=time.sleep):
    """Facts for the evidence. `canary` has `instance`, `targets` with `host` and `port`, and `budgetSeconds`, within which a
    policy may take effect late. Raises NotIsolated."""
    if not canary["targets"]:
        raise NotIsolated("there is no listener to try")
    deadline = monotonic() + canary["budgetSeconds"]
    while True:
        reached = [target for target in canary["targets"] if _is_reached(target["host"], target["port"])]
        if not reached:
            return ["network-denied", "canary=%s" % canary["instance"]]
        check_stop()
        if monotonic() >= deadline:
            where = ", ".join("%s port %d" % (target["host"], target["port"]) for target in reached)
            raise NotIsolated("%s can be reached, and the network's policies should not allow it" % where)
        pause(_PAUSE_SECONDS)


def _is_reached(host, port):
    """Whether a packet gets there. Silence, no way, and a refusal by the network on the way mean that it does not; a refusal
    by the other side itself means that it does."""
    address = ipaddress.ip_address(host)
    family, level, option = socket.AF_INET, socket.IPPROTO_IP, _IP_RECVERR
    if address.version == 6:
        family, level, option = socket.AF_INET6, socket.IPPROTO_IPV6, _IPV6_RECVERR
    with socket.socket(family, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as handle:
        handle.setblocking(False)
        handle.setsockopt(level, option, 1)
        error = handle.connect_ex((str(address), port))
        if error == errno.EINPROGRESS:
            error = _outcome(handle)
        if error in (0, errno.EISCONN, errno.ECONNRESET):
            return True
        if error == errno.ECONNREFUSED:
            return not _refused_on_the_way(handle)
        if error is None or error in _NO_WAY:
            return False
        raise NotIsolated("the network cannot be tried: %s" % os.strerror(error))


def _outcome(handle):
    """The error number of a connection that was begun, 0 where it is there; None where nothing came in time."""
    waiting = select.poll()
    waiting.register(handle, select.POLLOUT)
    if not waiting.poll(_ATTEMPT_SECONDS * 1000):
        return None
    return handle.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def _refused_on_the_way(handle):
    """Whether the refusal was a message of the network (ICMP) and no packet of the other side. Kernels before 5.8 do not
    tell; then it counts as one of the other side."""
    try:
        _, ancillary, _, _ = handle.recvmsg(64, 512, socket.MSG_ERRQUEUE)
    except OSError:
        return False
    for level, kind, data in ancillary:
        if (level, kind) in ((socket.IPPROTO_IP, _IP_RECVERR), (socket.IPPROTO_IPV6, _IPV6_RECVERR)):
            # struct sock_extended_err: number of the error, origin, type, code, …
            _, origin = struct.unpack_from("=IB", data)
            return origin in _FROM_NETWORK
    return False
