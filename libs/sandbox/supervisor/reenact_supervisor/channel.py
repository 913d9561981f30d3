"""JSON messages with file descriptors over a socket pair: how the supervisor talks with its inner init."""

import array
import json
import socket

_MESSAGE_BYTES = 4 * 1024 * 1024
_MAX_DESCRIPTORS = 8


class Channel:
    def __init__(self, handle):
        self._handle = handle
        handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MESSAGE_BYTES)

    @classmethod
    def pair(cls):
        left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        return cls(left), cls(right)

    def fileno(self):
        return self._handle.fileno()

    def settimeout(self, seconds):
        self._handle.settimeout(seconds)

    def close(self):
        self._handle.close()

    def send(self, message, descriptors=()):
        ancillary = []
        if descriptors:
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
        self._handle.sendmsg([json.dumps(message).encode()], ancillary)

    def receive(self):
        """Returns (message, descriptors); (None, []) at the end of the other side."""
        space = socket.CMSG_SPACE(_MAX_DESCRIPTORS * array.array("i").itemsize)
        try:
            data, ancillary, _, _ = self._handle.recvmsg(_MESSAGE_BYTES, space)
        except ConnectionResetError:
            return None, []
        descriptors = array.array("i")
        for level, kind, content in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                usable = len(content) - len(content) % descriptors.itemsize
                descriptors.frombytes(content[:usable])
        return (json.loads(data) if data else None), list(descriptors)
