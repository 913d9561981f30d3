"""Names of the peers' pods become addresses some time after the pods are there, and that there is none is remembered for a while."""

import fcntl
import socket
import struct
import threading
import time

_AGAIN_SECONDS = 0.5


class Resolver:
    """Looks all hosts up beside the main loop, since one question may wait for many seconds."""

    def __init__(self, hosts):
        self.addresses = {}
        self._hosts = hosts
        self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def missing(self):
        return [host for host in self._hosts if host not in self.addresses]

    def is_done(self):
        return not self._thread.is_alive()

    def stop(self):
        self._stopped = True

    def _run(self):
        while not self._stopped:
            for host in self.missing():
                try:
                    # Bytes, since the name is no text to be translated (IDNA), only looked up.
                    found = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
                    self.addresses[host] = found[0][4][0]
                except OSError:
                    pass
            if not self.missing():
                return
            time.sleep(_AGAIN_SECONDS)


def interface_of(address):
    """Name of the interface that has an IPv4 address; None where none is found."""
    for _, name in socket.if_nameindex():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
            try:
                # SIOCGIFADDR of linux/sockios.h
                answer = fcntl.ioctl(handle, 0x8915, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue
        if socket.inet_ntoa(answer[20:24]) == address:
            return name
    return None
