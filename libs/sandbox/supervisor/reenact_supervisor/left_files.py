"""What a trial left in the files that a check names. Nothing of the trial runs any more, but every byte is hostile.

Files are opened through directory descriptors, no link is followed, nothing is unpacked and no pickle is loaded.
"""

import hashlib
import json
import os
import stat
import struct
import zipfile

from .tree import open_directory

# A path of the trial's own /tmp begins with this; every other one is relative to the subject's copy.
TEMPORARY = "@tmp/"
MOST_PATHS = 16
_LONGEST_PATH = 1000
_HASHED_BYTES = 512 * 1024 * 1024
_JSON_BYTES = 4 * 1024 * 1024
_INDEX_BYTES = 4 * 1024 * 1024
_TAIL_BYTES = 66 * 1024
_HEAD_BYTES = 64 * 1024
_MOST_KEYS = 2000
_LONGEST_KEY = 300
_CHUNK = 1024 * 1024
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_END_OF_ZIP = b"PK\x05\x06"
_LOCATOR, _LOCATOR_BYTES, _WIDE_END_BYTES = b"PK\x06\x07", 20, 56


def is_watchable(path):
    """Whether a text is a path that stays below its root: relative, normal, without a way up."""
    inner = path[len(TEMPORARY) :] if path.startswith(TEMPORARY) else path
    parts = inner.split("/")
    return len(path) <= _LONGEST_PATH and "\0" not in path and not any(part in ("", ".", "..") for part in parts)


def file_facts(path, subject, temporary_directory):
    """Fields of the `file` record for one watched path; `subject` is the SubjectCopy."""
    in_temporary = path.startswith(TEMPORARY)
    root = temporary_directory if in_temporary else subject.root
    inner = path[len(TEMPORARY) :] if in_temporary else path
    facts = dict(_absent(path), **_look(root, inner))
    if facts["state"] == "regular" and not in_temporary:
        facts["origin"] = subject.origin_of(inner, facts["sha256"])
    return facts


def _absent(path):
    return {
        "path": path, "state": "absent", "origin": "new", "sizeBytes": 0, "sha256": None, "format": None, "keys": None,
        "keysCut": False, "head": None, "headCut": False,
    }


def _look(root, inner):
    try:
        directory = open_directory(root, os.path.dirname(inner))
    except OSError:
        return {"state": "unreadable"}
    if directory is None:
        return {"state": _state_on_the_way(root, inner)}
    name = os.path.basename(inner)
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):
            return {"state": "directory" if stat.S_ISDIR(status.st_mode) else "link" if stat.S_ISLNK(status.st_mode) else "other"}
        with open(os.open(name, _OPEN, dir_fd=directory), "rb") as handle:
            return dict(_content(handle, status.st_size), state="regular", sizeBytes=status.st_size)
    except FileNotFoundError:
        return {}
    except OSError:
        return {"state": "unreadable"}
    finally:
        os.close(directory)


def _state_on_the_way(root, inner):
    """Where a folder of the path is no folder: `absent`, or what stands in its place."""
    place = root
    for part in inner.split("/")[:-1]:
        place = os.path.join(place, part)
        try:
            mode = os.lstat(place).st_mode
        except OSError:
            return "absent"
        if not stat.S_ISDIR(mode):
            return "link" if stat.S_ISLNK(mode) else "other"
    return "unreadable"


def _content(handle, size):
    facts = {"sha256": _digest(handle) if size <= _HASHED_BYTES else None}
    handle.seek(0)
    head = handle.read(_HEAD_BYTES)
    text = _text_of(head, size)
    if text is not None:
        facts.update(format="text", head=text, headCut=size > len(head))
    for form, keys in ((form, read(handle, size, head)) for form, read in _READERS):
        if keys is not None:
            kept = [key[:_LONGEST_KEY] for key in keys[:_MOST_KEYS]]
            return dict(facts, format=form, keys=kept, keysCut=kept != keys)
    return dict({"format": "binary"}, **facts)


def _digest(handle):
    digest = hashlib.sha256()
    for chunk in iter(lambda: handle.read(_CHUNK), b""):
        digest.update(chunk)
    return digest.hexdigest()


def _text_of(head, size):
    """The head as text, or None where it is none; a character that the cut splits does not count."""
    if b"\0" in head:
        return None
    for cut in range(4 if size > len(head) else 1):
        try:
            return head[: len(head) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
    return None


def _json_keys(handle, size, head):
    """Keys of the top-level object, or None."""
    if size > _JSON_BYTES or not head.lstrip()[:1] == b"{":
        return None
    handle.seek(0)
    return _keys_of_json(handle.read(_JSON_BYTES))


def _keys_of_json(data):
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return sorted(value) if isinstance(value, dict) else None


def _safetensors_keys(handle, size, head):
    """Names of tensors by the header: its length as eight bytes, then JSON (the format's own description)."""
    if len(head) < 10 or head[8:9] != b"{":
        return None
    length = struct.unpack("<Q", head[:8])[0]
    if length > min(_INDEX_BYTES, size - 8):
        return None
    handle.seek(8)
    keys = _keys_of_json(handle.read(length))
    return None if keys is None else [key for key in keys if key != "__metadata__"]


def _zip_names(handle, size, head):
    """Names of a zip archive's entries where its index is small; the entries themselves are never read."""
    if head[:2] != b"PK":
        return None
    start = max(0, size - _TAIL_BYTES)
    handle.seek(start)
    tail = handle.read(_TAIL_BYTES)
    at = tail.rfind(_END_OF_ZIP)
    if at < 0 or _index_bytes(tail, at) > _INDEX_BYTES:
        return None
    try:
        with zipfile.ZipFile(handle) as archive:
            return sorted(archive.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, OSError, EOFError, MemoryError):
        return None


def _index_bytes(tail, at):
    """Size of the index by the end record, or by the 64-bit one that stands right before it (APPNOTE.TXT, 4.3.14 to 4.3.16)."""
    wide = at - _LOCATOR_BYTES - _WIDE_END_BYTES
    if wide >= 0 and tail[at - _LOCATOR_BYTES :].startswith(_LOCATOR):
        return struct.unpack("<Q", tail[wide + 40 : wide + 48])[0]
    return struct.unpack("<I", tail[at + 12 : at + 16])[0] if len(tail) >= at + 22 else _INDEX_BYTES + 1


def _npz_names(handle, size, head):
    """Names of the arrays of a NumPy archive."""
    names = _zip_names(handle, size, head)
    if not names or not all(name.endswith(".npy") for name in names):
        return None
    return [name[: -len(".npy")] for name in names]


def _torch_names(handle, size, head):
    """Entries of a torch checkpoint, without the folder that all of them are in."""
    names = _zip_names(handle, size, head)
    if not names or not any(name.endswith("/data.pkl") for name in names):
        return None
    return [name.partition("/")[2] for name in names]


_READERS = (("json", _json_keys), ("safetensors", _safetensors_keys), ("npz", _npz_names), ("torch", _torch_names), ("zip", _zip_names))
