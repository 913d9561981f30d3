"""The listener that run pods must not reach.

Question: one line, `reenact-canary 1 NONCE` with 32 to 64 hexadecimal digits. Answer: one line of JSON, `{"canary": 1,
"proof", "instance", "host", "port"}`. The proof is a SHA-256 over the nonce: what answers speaks this protocol now, and is no
other program at the same address. The instance is drawn when the process begins: who meets the same one before and after a
run knows that it was there all the time. Host and port are those under which the question arrived, behind whatever
translates addresses on the way.
"""

import hashlib
import json
import os
import re
import socket
import socketserver
import threading

_QUESTION = re.compile(rb"reenact-canary 1 ([0-9a-f]{32,64})\n")
_LONGEST_QUESTION = 128
_SECONDS = 5.0
_MOST_AT_ONCE = 64


def proof_of(nonce):
    """What the canary answers to a nonce, hex."""
    return hashlib.sha256(("reenact-canary-1\n" + nonce).encode()).hexdigest()


class _Handler(socketserver.StreamRequestHandler):
    timeout = _SECONDS

    def handle(self):
        question = _QUESTION.fullmatch(self.rfile.readline(_LONGEST_QUESTION))
        if question is None:
            return
        host, port = self.request.getsockname()[:2]
        # How a socket for both families writes an address of the older one.
        host = host[len("::ffff:") :] if host.startswith("::ffff:") else host
        answer = {"canary": 1, "proof": proof_of(question.group(1).decode()), "instance": self.server.instance}
        answer.update(host=host, port=port)
        self.wfile.write(json.dumps(answer).encode() + b"\n")


class Canary(socketserver.ThreadingTCPServer):
    """Answers up to 64 callers at once, each for 5 seconds at most; others are turned away."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, host, port):
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.instance = os.urandom(8).hex()
        self._room = threading.BoundedSemaphore(_MOST_AT_ONCE)
        super().__init__((host, port), _Handler)

    def server_bind(self):
        if self.address_family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()

    def verify_request(self, request, client_address):
        return self._room.acquire(blocking=False)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request, client_address):
        """Whoever breaks off is nobody's concern."""


def serve(port):
    """Answers on all addresses of this pod until the process is ended."""
    with Canary("::" if socket.has_dualstack_ipv6() else "0.0.0.0", port) as server:
        server.serve_forever()
