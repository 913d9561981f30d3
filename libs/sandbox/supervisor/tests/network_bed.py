"""A network whose other side does what a test asks, in namespaces of its own: `python3 -m tests.network_bed MODE`, started
through `unshare --user --map-root-user --net`. Prints what the check of isolation makes of it, as JSON.

Modes: `drop`, `icmp-port` and `icmp-prohibited` (as firewalls refuse), `reset` (as a host without a listener answers),
`accept`, `accept-twice` (policies that come late) and `no-device`.
"""

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import threading

from reenact_supervisor.pod import network_check

_OURS, _THEIRS = "10.9.0.1", "10.9.0.2"
_TUNSETIFF, _TUN_WITHOUT_HEADER = 0x400454CA, 0x1001
_SYN, _RST_ACK, _SYN_ACK = 0x02, 0x14, 0x12


def main(mode):
    if mode != "no-device":
        device = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH", b"bed0", _TUN_WITHOUT_HEADER))
        for command in ("ip addr add %s/24 dev bed0" % _OURS, "ip link set bed0 up"):
            subprocess.run(command.split(), check=True)
        threading.Thread(target=_other_side, args=(device, mode), daemon=True).start()
    canary = {"instance": "i", "budgetSeconds": 2, "targets": [{"host": _THEIRS, "port": 29377}]}
    try:
        found = network_check.prove_isolation(canary)
    except network_check.NotIsolated as error:
        found = str(error)
    print(json.dumps(found))


def _other_side(device, mode):
    connections = 0
    while True:
        packet = os.read(device, 2048)
        if packet[0] >> 4 != 4 or packet[9] != socket.IPPROTO_TCP:
            continue
        segment = packet[20:]
        if segment[13] != _SYN:
            continue
        connections += 1
        if mode in ("icmp-port", "icmp-prohibited") or (mode == "accept-twice" and connections > 2):
            code = 13 if mode == "icmp-prohibited" else 3
            os.write(device, _ip(socket.IPPROTO_ICMP, _icmp(code, packet[:28])))
        elif mode == "reset":
            os.write(device, _ip(socket.IPPROTO_TCP, _tcp(segment, _RST_ACK)))
        elif mode.startswith("accept"):
            os.write(device, _ip(socket.IPPROTO_TCP, _tcp(segment, _SYN_ACK)))


def _ip(protocol, content):
    source, target = socket.inet_aton(_THEIRS), socket.inet_aton(_OURS)
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(content), 0, 0, 64, protocol, 0, source, target)
    return head[:10] + struct.pack("!H", _sum(head)) + head[12:] + content


def _icmp(code, quoted):
    message = struct.pack("!BBHI", 3, code, 0, 0) + quoted
    return message[:2] + struct.pack("!H", _sum(message)) + message[4:]


def _tcp(segment, flags):
    theirs, ours, sequence = struct.unpack("!HHI", segment[:8])
    head = struct.pack("!HHIIBBHHH", ours, theirs, 7, (sequence + 1) & 0xFFFFFFFF, 0x50, flags, 65535, 0, 0)
    pseudo = socket.inet_aton(_THEIRS) + socket.inet_aton(_OURS) + struct.pack("!BBH", 0, socket.IPPROTO_TCP, len(head))
    return head[:16] + struct.pack("!H", _sum(pseudo + head)) + head[18:]


def _sum(data):
    """The Internet checksum (RFC 1071)."""
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


if __name__ == "__main__":
    main(sys.argv[1])
