"""Node 0's end of the side channel: the others connect to it. What cannot prove itself is dropped and disturbs nobody."""

import json
import selectors
import socket
import time

from .line_socket import LineSocket, SocketLost
from .seal import DOWN, MOST_LINE_BYTES, Forged, Seal, connection_key, draw_challenge
from .side_thread import Link, SideThread

# A connection that has not proven itself: how many there may be, how much each may say, and for how long.
_MOST_UNKNOWN = 128
_MOST_UNKNOWN_BYTES = 4096
_UNKNOWN_SECONDS = 5.0
_ACCEPT_AT_ONCE = 16


class _Unknown:
    def __init__(self, handle):
        self.lines = LineSocket(handle, _MOST_UNKNOWN_BYTES)
        self.challenge = draw_challenge()
        self.until = time.monotonic() + _UNKNOWN_SECONDS
        self.told = None
        self.lines.send(json.dumps({"challenge": self.challenge}).encode() + b"\n")


class Hub(SideThread):
    """Listens until every other node has joined, and never again: no script runs before that."""

    def __init__(self, port, nodes, nonce, timings):
        super().__init__(timings)
        self._nonce = nonce
        self._nodes = nodes
        self._links = {}
        self._unknown = []
        self._listener = _listen(port)
        self._complete = False
        self._listening = True
        self._done = False
        self.selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def links(self):
        return self._links.values()

    def complete(self):
        """Every node has joined and fits: from now on a connection that ends is a node that is lost."""
        self._complete = True

    def done(self):
        """The others may go."""
        self._done = True

    def break_off(self, words):
        self.send(None, {"kind": "broken", "words": words})
        super().break_off(words)

    def lost(self, link, words):
        if self._links.get(link.node) is not link:
            return
        self.selector.unregister(link.lines.handle)
        link.lines.close()
        del self._links[link.node]
        if self._complete and not self._done:
            self.break_off("node %d is lost: %s" % (link.node, words))
        else:
            self.give(link.node, {"kind": "left"})

    def turn(self, now):
        for unknown in [one for one in self._unknown if now > one.until]:
            self._drop(unknown)
        if self._complete and self._listening:
            self._stop_listening()

    def part(self, link, deadline):
        link.lines.handle.shutdown(socket.SHUT_WR)
        link.lines.handle.setblocking(True)
        link.lines.handle.settimeout(max(0.01, deadline - time.monotonic()))
        # Read to its end: data that nobody reads would make the system throw away what was sent.
        while link.lines.handle.recv(65536):
            pass

    def close(self):
        super().close()
        for unknown in self._unknown:
            unknown.lines.close()
        self._listener.close()

    def _stop_listening(self):
        """The port stays taken, so that nobody else can have it."""
        self._listening = False
        self.selector.unregister(self._listener)
        for unknown in list(self._unknown):
            self._drop(unknown)

    def _accept(self):
        for _ in range(_ACCEPT_AT_ONCE if self._listening else 0):
            try:
                handle, _ = self._listener.accept()
            except OSError:
                return
            if len(self._unknown) >= _MOST_UNKNOWN:
                self._drop(self._unknown[0])
            try:
                unknown = _Unknown(handle)
            except (SocketLost, OSError):
                handle.close()
                continue
            self._unknown.append(unknown)
            self.selector.register(handle, selectors.EVENT_READ, lambda one=unknown: self._hear(one))

    def _hear(self, unknown):
        if unknown not in self._unknown:
            return
        try:
            for line in unknown.lines.lines():
                if unknown not in self._unknown:
                    raise Forged("more than one node may say at once")
                self._prove(unknown, line)
        except (SocketLost, Forged, ValueError, TypeError, KeyError, RecursionError):
            self._drop(unknown)
            return
        if unknown.lines.ended:
            self._drop(unknown)

    def _prove(self, unknown, line):
        """The first line names the node and its challenge, the second is sealed."""
        if unknown.told is None:
            words = json.loads(line.decode("ascii"))
            node, challenge = words["node"], words["challenge"]
            if type(node) is not int or not 0 < node < self._nodes or not isinstance(challenge, str):
                raise Forged("no node of this execution")
            unknown.told = (node, Seal(connection_key(self._nonce, node, (unknown.challenge, challenge)), node, DOWN))
            return
        node, seal = unknown.told
        message = seal.open(line)
        if node in self._links:
            raise Forged("the node is here already")
        self._unknown.remove(unknown)
        unknown.lines.most_line_bytes = MOST_LINE_BYTES
        link = Link(node, unknown.lines, seal)
        self._links[node] = link
        self.selector.modify(unknown.lines.handle, selectors.EVENT_READ, lambda: self.receive(link))
        link.send({"kind": "welcome"})
        self.give(node, message)

    def _drop(self, unknown):
        if unknown in self._unknown:
            self._unknown.remove(unknown)
            self.selector.unregister(unknown.lines.handle)
            unknown.lines.close()


def _listen(port):
    """Without SO_REUSEADDR and SO_REUSEPORT: nobody may share the port."""
    family = socket.AF_INET6 if socket.has_ipv6 and _has_ipv6() else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind(("::" if family == socket.AF_INET6 else "0.0.0.0", port))
    listener.listen(128)
    listener.setblocking(False)
    return listener


def _has_ipv6():
    try:
        socket.socket(socket.AF_INET6, socket.SOCK_STREAM).close()
        return True
    except OSError:
        return False
