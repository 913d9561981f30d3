"""Checks what the probe claims before it may enter the stream: the shapes of the evidence schema, with size caps.

A record that does not fit is void; it must not be able to spoil the stream for its reader.
"""

_SAFE_INTEGER = 2**53 - 1
# Linux gives no higher ones (proc(5), pid_max); where ids of several machines meet, they are told apart above it.
_HIGHEST_PID = 2**22
_PLACES = ("subject", "dependency", "script", "standard-library", "other")
_MAX_DEPTH = 6


def text(value):
    return isinstance(value, str)


def short_text(value):
    return text(value) and len(value) <= 200


def name(value):
    return text(value) and len(value) <= 64


def size(value):
    return integer(value) and value >= 0


def positive(value):
    return integer(value) and value >= 1


def ranks(value):
    return isinstance(value, list) and len(value) <= 64 and all(size(item) for item in value)


def truth(value):
    return isinstance(value, bool)


def dimensions(value):
    return isinstance(value, list) and len(value) <= 16 and all(size(item) for item in value)


def integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _SAFE_INTEGER


def process_id(value):
    return integer(value) and 0 <= value <= _HIGHEST_PID


def number(value):
    finite = isinstance(value, float) and value - value == 0
    return finite or integer(value)


def one_of(*words):
    return lambda value: isinstance(value, str) and value in words


def many(check):
    return lambda value: isinstance(value, list) and all(check(item) for item in value)


def few(check, most=24):
    return lambda value: isinstance(value, list) and len(value) <= most and all(check(item) for item in value)


def shape(required, optional=None):
    """A check for objects: every required field fits, optional ones fit where they are, others are not allowed."""
    optional = optional or {}

    def check(value):
        if not isinstance(value, dict) or not set(required) <= set(value) <= set(required) | set(optional):
            return False
        return all((required.get(name) or optional[name])(item) for name, item in value.items())

    return check


def scalar_or_tree(value, depth=0):
    """What an observation may hold: a JSON value of limited depth without numbers that JSON lacks."""
    if value is None or isinstance(value, (str, bool)) or number(value):
        return True
    if depth >= _MAX_DEPTH:
        return False
    if isinstance(value, list):
        return all(scalar_or_tree(item, depth + 1) for item in value)
    return isinstance(value, dict) and all(scalar_or_tree(item, depth + 1) for item in value.values())


frame = shape({"file": text}, {"line": integer, "function": text, "code": text, "place": one_of(*_PLACES)})
_cause = shape({"type": text, "message": text, "frames": many(frame), "link": one_of("cause", "context")})
_coverage = shape({"file": text, "lines": many(integer)}, {"functions": many(text)})
_entry = shape({"name": short_text, "sha256": name})
_value = shape({"name": name, "type": name}, {"shape": dimensions, "dtype": name, "device": name, "length": size})
_locals = shape(
    {"file": text, "line": integer, "function": text, "place": one_of(*_PLACES), "values": few(_value)}
)

_FIELDS = {
    "process": ({"argv": many(text)}, {"parent": process_id}),
    "exception": (
        {
            "type": text, "bases": many(text), "message": text, "notes": many(text), "frames": many(frame),
            "causes": many(_cause), "how": one_of("uncaught", "thread", "child", "reported"), "raisedIn": one_of(*_PLACES),
        },
        {},
    ),
    "warning": ({"category": text, "message": text, "frame": frame}, {}),
    "modules": ({"loaded": many(shape({"file": text, "sha256": text}))}, {}),
    "coverage": ({"files": many(_coverage)}, {}),
    "numeric": (
        {
            "module": short_text, "class": short_text, "call": integer, "place": one_of(*_PLACES),
            "direction": one_of("forward", "backward"), "what": one_of("nan", "inf"), "shape": dimensions, "dtype": short_text,
        },
        {"inputsFinite": truth, "parametersFinite": truth},
    ),
    "collective": (
        {
            "op": name, "number": positive, "group": name, "size": size, "members": ranks, "pointToPoint": truth,
        },
        {"shape": dimensions, "dtype": name, "root": integer, "peer": integer, "reduction": name, "at": frame},
    ),
    "locals": ({"type": short_text, "frames": few(_locals)}, {}),
    "parameters": (
        {"optimizer": size, "class": short_text, "update": positive, "count": size, "entries": few(_entry, 512)}, {},
    ),
    "rows": ({"loader": size, "epoch": size, "count": positive, "first": few(integer, 1024), "sha256": name}, {}),
    "allocator": ({"device": size, "allocatedBytes": size, "reservedBytes": size, "peakBytes": size}, {}),
    "activation": (
        {
            "module": short_text, "class": short_text, "call": positive, "shape": dimensions, "dtype": short_text, "sha256": name,
        },
        {"norm": number},
    ),
    "notice": ({"code": text, "message": text}, {}),
    "obs": ({"values": lambda value: isinstance(value, dict) and bool(value) and scalar_or_tree(value)}, {}),
}
_COMMON = ({"kind": text, "t": number, "pid": process_id}, {"rank": integer, "step": integer})
_CHECKS = {
    kind: shape(dict(_COMMON[0], **required), dict(_COMMON[1], **optional)) for kind, (required, optional) in _FIELDS.items()
}


def acceptable(record):
    """Whether a decoded line is a probe record that fits the schema."""
    kind = record.get("kind") if isinstance(record, dict) else None
    check = _CHECKS.get(kind) if isinstance(kind, str) else None
    return check is not None and check(record)
