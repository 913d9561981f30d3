"""A socket of lines that never blocks: what cannot be sent yet waits, and a line that never ends is refused."""

import socket


class SocketLost(Exception):
    """The connection ended or was broken; the message says how."""


class LineSocket:
    def __init__(self, handle, most_line_bytes):
        self.handle = handle
        self.most_line_bytes = most_line_bytes
        self._incoming = b""
        self._outgoing = bytearray()
        self.ended = False
        handle.setblocking(False)
        handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fileno(self):
        return self.handle.fileno()

    def send(self, line):
        self._outgoing += line
        self.flush()

    def flush(self):
        """Sends what the system takes; True when nothing is left. Raises SocketLost."""
        while self._outgoing:
            try:
                sent = self.handle.send(self._outgoing)
            except BlockingIOError:
                return False
            except OSError as error:
                raise SocketLost(str(error))
            del self._outgoing[:sent]
        return True

    def lines(self):
        """Whole lines that came, without their ends; `ended` tells that there will be no more. Raises SocketLost."""
        try:
            data = self.handle.recv(65536)
        except BlockingIOError:
            return []
        except OSError as error:
            raise SocketLost(str(error))
        if not data:
            self.ended = True
            return []
        lines = (self._incoming + data).split(b"\n")
        self._incoming = lines.pop()
        if max(map(len, lines + [self._incoming])) > self.most_line_bytes:
            raise SocketLost("a line of more than %d bytes" % self.most_line_bytes)
        return lines

    def close(self):
        self.handle.close()
