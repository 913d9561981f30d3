"""What leaves a pod: one JSON object a line on standard output, so that a log that lacks a part is known to lack it.

Frame: `{"v": 1, "seq", "t", "ch", …}`. Channels: `h` the supervisor is alive, `e` a piece of the compressed evidence, `x`
the last frame. That one counts the frames before it, carries the SHA-256 over their bytes and an HMAC under the nonce of
the execution, which the script never sees: nothing that a script writes can pass for it.
"""

import base64
import hashlib
import hmac
import json
import os
import time
import zlib

# The runtime cuts lines at 16 KiB. A multiple of three, so that the texts of the pieces join to one.
_PIECE_BYTES = 8 * 1024 // 3 * 3
# The kubelet begins a new file at 10 MiB, and only the newest can be read.
MOST_EVIDENCE_BYTES = 4 * 1024 * 1024
_LINE_CHARACTERS = 400


class EvidenceTooLarge(Exception):
    """The compressed evidence does not fit into the log."""


class FrameWriter:
    def __init__(self, descriptor, nonce, pod_uid):
        self._descriptor = descriptor
        self._nonce = nonce
        self._pod_uid = pod_uid
        self._digest = hashlib.sha256()
        self._frames = 0
        self._began = time.monotonic()

    def heartbeat(self, last_line, memory_share):
        self._write("h", {"line": last_line[:_LINE_CHARACTERS], "memory": memory_share})

    def evidence(self, data):
        """Writes the evidence stream, compressed and in pieces. Raises EvidenceTooLarge before anything is written."""
        packed = zlib.compress(data, 9)
        if len(packed) > MOST_EVIDENCE_BYTES:
            raise EvidenceTooLarge("%d bytes" % len(packed))
        for start in range(0, len(packed), _PIECE_BYTES):
            self._write("e", {"data": base64.b64encode(packed[start : start + _PIECE_BYTES]).decode()})

    def end(self, kind, script_seconds):
        """Writes the last frame and returns it; `kind` is `finished` or `stopped`."""
        words = {"kind": kind, "podUid": self._pod_uid, "frames": self._frames, "sha256": self._digest.hexdigest()}
        words["scriptSeconds"] = round(script_seconds, 4)
        words["mac"] = hmac.new(self._nonce.encode(), seal_text(words).encode(), hashlib.sha256).hexdigest()
        self._write("x", words)
        return words

    def _write(self, channel, fields):
        frame = {"v": 1, "seq": self._frames, "t": round(time.monotonic() - self._began, 3), "ch": channel}
        frame.update(fields)
        line = json.dumps(frame, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        self._digest.update(line)
        self._frames += 1
        view = memoryview(line)
        while view:
            view = view[os.write(self._descriptor, view) :]


def seal_text(words):
    """What the HMAC of the last frame is taken over."""
    return "\n".join(["reenact-end-1", words["kind"], words["podUid"], str(words["frames"]), words["sha256"]])
