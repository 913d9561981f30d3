"""Another node's end of the side channel: one connection to node 0, tried again until the group is complete."""

import json
import selectors
import socket
import time

from .clock import ClockOffset
from .line_socket import LineSocket, SocketLost
from .seal import MOST_LINE_BYTES, UP, Forged, Seal, connection_key, draw_challenge
from .side_thread import Link, SideThread, beat

_CONNECT_SECONDS = 5.0
_AGAIN_SECONDS = 0.3
_MOST_FIRST_BYTES = 4096
# Asked one after another when the connection is fresh, so that one of them meets no delay.
_CLOCK_QUESTIONS = 16


class Spoke(SideThread):
    def __init__(self, address, port, node, nonce, timings):
        super().__init__(timings)
        self.clock = ClockOffset()
        self._to = (address, port)
        self._node = node
        self._nonce = nonce
        self._link = None
        self._joined = None
        self._questions = 0
        self._complete = False
        self._done = False
        self._next_try = 0.0

    def join(self, words):
        """What is said of this node at the beginning of a connection; called once, before `start`."""
        self._joined = dict(words, kind="join")

    def links(self):
        return [] if self._link is None else [self._link]

    def complete(self):
        """The group is complete: from now on a connection that ends is the hub that is lost."""
        self._complete = True

    def done(self):
        """The hub may go."""
        self._done = True

    def lost(self, link, words):
        if link is not self._link:
            return
        self.selector.unregister(link.lines.handle)
        link.lines.close()
        self._link = None
        if self._complete and not self._done:
            self.break_off("node 0 is lost: %s" % words)

    def turn(self, now):
        if self._link is None and not self._complete and not self._done and now >= self._next_try:
            self._connect()
            self._next_try = time.monotonic() + _AGAIN_SECONDS

    def beaten(self, message, got):
        self.clock.add(message["sent"], message["received"], message["answered"], got)
        self._questions += 1
        if self._questions < _CLOCK_QUESTIONS and self._link is not None:
            self._link.send(beat())

    def is_clock_known(self):
        return self._questions >= _CLOCK_QUESTIONS

    def _connect(self):
        """Waits for the other's first lines: nothing else is to be done before."""
        try:
            handle = socket.create_connection(self._to, _CONNECT_SECONDS)
        except OSError:
            return
        try:
            challenge = json.loads(_line(handle).decode("ascii"))["challenge"]
            own = draw_challenge()
            seal = Seal(connection_key(self._nonce, self._node, (str(challenge), own)), self._node, UP)
            hello = json.dumps({"node": self._node, "challenge": own}).encode() + b"\n"
            handle.sendall(hello + seal.close(self._joined))
            if seal.open(_line(handle))["kind"] != "welcome":
                raise Forged("no welcome")
            link = Link(0, LineSocket(handle, MOST_LINE_BYTES), seal)
        except (OSError, SocketLost, Forged, ValueError, TypeError, KeyError):
            handle.close()
            return
        self._link = link
        self._questions = 0
        self.selector.register(handle, selectors.EVENT_READ, lambda: self.receive(link))


def _line(handle):
    """The next line and not a byte more: what follows belongs to the link."""
    line = b""
    while len(line) < _MOST_FIRST_BYTES:
        byte = handle.recv(1)
        if byte == b"\n":
            return line
        if not byte:
            break
        line += byte
    raise Forged("no line of a hub")
