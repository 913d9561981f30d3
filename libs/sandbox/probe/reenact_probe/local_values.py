"""Shapes and kinds of the local values in the frames of an exception, in diagnostic trials: never the values themselves.

Only attributes of the frameworks' own types are read: a property of the program's own class could do anything.
"""

import sys

from reenact_probe import exceptions, recorder
from reenact_probe.places import place_of

_MOST_FRAMES = 8
_MOST_VALUES = 24
_MOST_DIMENSIONS = 16
_LONGEST_NAME = 64
_MOST_RECORDS = 20
_FRAMEWORKS = ("torch", "numpy", "tensorflow", "jax", "jaxlib")
_CONTAINERS = (list, tuple, dict, set, str, bytes)
_SKIPPED = ("module", "function", "type", "builtin_function_or_method", "method")
_OPTIMISED = 0x1
_STATE = {"records": 0}


def _is_array(kind):
    return kind.__module__.partition(".")[0] in _FRAMEWORKS and hasattr(kind, "shape") and hasattr(kind, "dtype")


def _describe(name, value):
    kind = type(value)
    about = {"name": name[:_LONGEST_NAME], "type": kind.__name__[:_LONGEST_NAME]}
    if _is_array(kind):
        try:
            about["shape"] = [int(size) for size in tuple(value.shape)[:_MOST_DIMENSIONS]]
            about["dtype"] = str(value.dtype)[:_LONGEST_NAME]
        except Exception:
            pass  # A tensor of a graph may not know its size.
        device = getattr(value, "device", None) if kind.__module__.startswith("torch") else None
        if device is not None:
            about["device"] = str(device)[:_LONGEST_NAME]
    elif kind in _CONTAINERS:
        about["length"] = len(value)
    return about


def _values_of(frame):
    names = frame.f_locals
    found = []
    for name in list(names):
        if name.startswith("__") or type(names[name]).__name__ in _SKIPPED:
            continue
        if len(found) >= _MOST_VALUES:
            break
        found.append(_describe(name, names[name]))
    if sys.version_info < (3, 13) and frame.f_code.co_flags & _OPTIMISED:
        # Here the mapping is a copy that the frame keeps; it must not keep the values longer than the frame does.
        names.clear()
    return found


def _record(error, traceback):
    """Write the values of the innermost frames of subject, script and dependencies, outermost first."""
    if _STATE["records"] >= _MOST_RECORDS:
        return
    chosen = []
    while traceback is not None:
        frame = traceback.tb_frame
        place, name, _ = place_of(frame.f_code.co_filename)
        if place in ("subject", "script", "dependency"):
            chosen.append((frame, name, traceback.tb_lineno, place))
            del chosen[:-_MOST_FRAMES]
        traceback = traceback.tb_next
    frames = [
        {"file": name, "line": line, "function": frame.f_code.co_name, "place": place, "values": _values_of(frame)}
        for frame, name, line, place in chosen
    ]
    if frames:
        _STATE["records"] += 1
        kind = type(error)
        recorder.write("locals", {"type": ("%s.%s" % (kind.__module__, kind.__qualname__))[:200], "frames": frames})


def install():
    """Look at every exception that is recorded."""
    exceptions.after_record(_record)
