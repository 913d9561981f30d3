"""What makes a line of the side channel ours: an HMAC under the nonce of the execution, which no script ever sees.

Both ends draw a challenge when they connect, and the key of the connection comes from both, so that a line of another
connection is worth nothing. Each line tells its direction, its node and its number, which must be the next one.
"""

import hashlib
import hmac
import json
import os

UP, DOWN = "up", "down"
# Looks at hundreds of processes fit; an unknown connection is given far less.
MOST_LINE_BYTES = 4 * 1024 * 1024


class Forged(Exception):
    """A line that the other supervisor did not send, or not now."""


def draw_challenge():
    return os.urandom(16).hex()


def connection_key(nonce, node, challenges):
    """The key of one connection; `challenges` are the hub's and the node's."""
    text = "\n".join(("reenact-side-1", str(node)) + tuple(challenges))
    return hmac.new(nonce.encode(), text.encode(), hashlib.sha256).digest()


class Seal:
    """One end of a connection: `outgoing` is the direction in which it sends."""

    def __init__(self, key, node, outgoing):
        self._key = key
        self._node = node
        self._outgoing = outgoing
        self._incoming = DOWN if outgoing == UP else UP
        self._sent = 0
        self._received = 0

    def close(self, message):
        """A line for the message, with its end."""
        body = json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        mac = self._mac(self._outgoing, self._sent, body)
        line = json.dumps([self._sent, self._outgoing, self._node, body, mac], separators=(",", ":"))
        self._sent += 1
        return line.encode() + b"\n"

    def open(self, line):
        """The message of a line without its end. Raises Forged."""
        try:
            number, direction, node, body, mac = json.loads(line.decode("ascii"))
        except (ValueError, TypeError, RecursionError):
            raise Forged("a line that is none of the side channel")
        if number != self._received or direction != self._incoming or node != self._node or not isinstance(body, str):
            raise Forged("a line that was not due")
        expected = self._mac(direction, number, body)
        if not isinstance(mac, str) or not hmac.compare_digest(mac.encode("ascii", "replace"), expected.encode()):
            raise Forged("a line without the seal of this execution")
        self._received += 1
        return json.loads(body)

    def _mac(self, direction, number, body):
        text = "\n".join((direction, str(self._node), str(number), body))
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()
