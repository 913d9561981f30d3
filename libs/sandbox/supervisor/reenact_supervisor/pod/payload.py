"""Puts the pieces of the payload together and unpacks them.

The payload is a zlib stream of entries; each begins with one line of JSON: `{"path", "kind", …}`, where a `file` has
`bytes` and `executable` and is followed by its content, a `link` has `to`, and a `directory` has no more. Its first part
is `script` or `subject`. It is ours, but it holds a project that may be anybody's, so paths are checked all the same.
"""

import hashlib
import io
import json
import os
import zlib

_ROOTS = ("script", "subject")
_LONGEST_HEADER = 64 * 1024


class PayloadInvalid(Exception):
    """What was delivered is not what was sent; the message says which part."""


def read_payload(directory, plan):
    """The bytes of the payload from its parts, each checked. Raises PayloadInvalid."""
    parts = []
    for part in plan["parts"]:
        try:
            with open(os.path.join(directory, os.path.basename(part["file"])), "rb") as handle:
                data = handle.read()
        except OSError as error:
            raise PayloadInvalid("%s: %s" % (part["file"], error))
        if len(data) != part["bytes"] or hashlib.sha256(data).hexdigest() != part["sha256"]:
            raise PayloadInvalid("%s is not what was sent" % part["file"])
        parts.append(data)
    whole = b"".join(parts)
    if len(whole) != plan["bytes"] or hashlib.sha256(whole).hexdigest() != plan["sha256"]:
        raise PayloadInvalid("the parts do not make the payload")
    return whole


def unpack_payload(payload, directory):
    """Writes `script/` and `subject/` below an empty directory. Raises PayloadInvalid."""
    base = os.path.realpath(directory)
    for root in _ROOTS:
        os.makedirs(os.path.join(directory, root))
    try:
        stream = io.BytesIO(zlib.decompress(payload))
    except zlib.error as error:
        raise PayloadInvalid("the payload cannot be unpacked: %s" % error)
    while True:
        line = stream.readline(_LONGEST_HEADER)
        if not line:
            return
        entry = _header(line)
        path = os.path.join(directory, entry["path"])
        if os.path.realpath(os.path.dirname(path)) != os.path.dirname(os.path.join(base, entry["path"])):
            raise PayloadInvalid("%s leads through a link" % entry["path"])
        if entry["kind"] == "directory":
            os.makedirs(path, exist_ok=True)
        elif entry["kind"] == "link":
            os.symlink(_text(entry["to"]), path)
        else:
            _write_file(path, stream, entry)


def _header(line):
    try:
        entry = json.loads(line.decode())
        parts = _text(entry["path"]).split("/")
        known = entry["kind"] in ("file", "link", "directory")
    except (ValueError, KeyError, TypeError) as error:
        raise PayloadInvalid("an entry of the payload cannot be read: %s" % error)
    if not known or len(parts) < 2 or parts[0] not in _ROOTS or any(part in ("", ".", "..") for part in parts):
        raise PayloadInvalid("no path of the payload: %r" % entry["path"])
    return entry


def _write_file(path, stream, entry):
    data = stream.read(int(entry["bytes"]))
    if len(data) != entry["bytes"]:
        raise PayloadInvalid("%s is cut off" % entry["path"])
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o755 if entry.get("executable") else 0o644), "wb") as handle:
        handle.write(data)


def _text(value):
    if not isinstance(value, str) or "\0" in value:
        raise PayloadInvalid("the payload holds something that is no text")
    return value
