"""Subject files whose code was run as a module, with the SHA-256 of the source that was really compiled."""

import atexit
import sys

from reenact_probe import audit, recorder
from reenact_probe.digests import sha256_hex
from reenact_probe.guard import guarded
from reenact_probe.inside import note_shadow
from reenact_probe.places import has_subject, place_of, subject_file

#: Kept from before the program could replace it.
_open = open
_COMPILED = {}
_WRITTEN = set()


def _on_disk(filename):
    with _open(place_of(filename)[2], "rb") as source:
        return source.read()


def _on_compile(source, filename):
    if not isinstance(filename, str):
        filename = getattr(filename, "decode", lambda *_: "")("utf-8", "replace")
    if subject_file(filename) is None:
        return
    if isinstance(source, str):
        # Text has lost its line ends and byte-order mark: equal text stands for the bytes of the file.
        data = _on_disk(filename)
        same = data.decode("utf-8-sig", "replace").replace("\r\n", "\n") == source.replace("\r\n", "\n")
        _COMPILED[filename] = sha256_hex(data if same else source.encode("utf-8", "surrogatepass"))
    elif isinstance(source, (bytes, bytearray)):
        _COMPILED[filename] = sha256_hex(source)


def _on_exec(code):
    if getattr(code, "co_name", "") != "<module>":
        return
    note_shadow(code.co_filename)
    name = subject_file(code.co_filename)
    if name is None:
        return
    # No compilation in this process: from bytecode, or the main file, which the interpreter compiles by itself.
    digest = _COMPILED.pop(code.co_filename, None) or sha256_hex(_on_disk(code.co_filename))
    _write(name, digest)


def _write(name, digest):
    if (name, digest) not in _WRITTEN:
        _WRITTEN.add((name, digest))
        recorder.write("modules", {"loaded": [{"file": name, "sha256": digest}]})


def write_found():
    """Python 3.7 has no audit events: look through the loaded modules at the end, and whenever asked."""
    if hasattr(sys, "addaudithook") or not has_subject():
        return
    for module in list(sys.modules.values()):
        filename = getattr(module, "__file__", None)
        if isinstance(filename, str) and filename.endswith(".py"):
            name = subject_file(filename)
            if name is not None:
                _write(name, sha256_hex(_on_disk(filename)))


def install():
    """Watch what is compiled and run, where the trial names a subject."""
    if not has_subject():
        return
    if hasattr(sys, "addaudithook"):
        audit.on("compile", _on_compile)
        audit.on("exec", _on_exec)
    else:
        atexit.register(guarded(write_found))
