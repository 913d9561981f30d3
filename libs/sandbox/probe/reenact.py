"""Observations for a reproduction script. One file without dependencies, so that it also works by hand."""

import os
import sys

__all__ = ["observe", "progress"]


def _literal(value):
    """Text of a value as a Python literal with full precision; tensors and arrays become numbers or lists."""
    if value is None or isinstance(value, (bool, int, float)):
        # Subclasses such as numpy.float64 have a repr of their own.
        kind = type(value) if value is None or isinstance(value, bool) else (int if isinstance(value, int) else float)
        return repr(value) if value is None else kind.__repr__(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(repr(str(key)) + ": " + _literal(item) for key, item in value.items()) + "}"
    if callable(getattr(value, "tolist", None)):
        return _literal(value.tolist())
    return repr(str(value))


def _rank():
    """Rank of this process where it is known, else None."""
    for name in ("RANK", "LOCAL_RANK"):
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            return distributed.get_rank()
    except Exception:
        pass
    return None


def _write(pairs, step):
    rank = _rank()
    if step is not None:
        pairs = pairs + [("step", step)]
    if rank is not None:
        pairs = pairs + [("rank", rank)]
    # One write for the whole line: ranks that share a pipe must not glue their lines together.
    sys.stdout.write("OBS " + " ".join(name + "=" + _literal(value) for name, value in pairs) + "\n")
    sys.stdout.flush()


def observe(name, value, step=None):
    """Print one ``OBS`` line.

    name: letters, digits, ``_`` and ``.``, not beginning with a digit; ``rank`` and ``step`` are reserved.
    value: number, text, None, list, dict, or anything with ``tolist`` (tensor, array); numbers keep full precision.
    step: step of the training loop, optional.
    Raises ValueError for a name that the line could not carry.
    """
    plain = name.replace(".", "_")
    if not (plain.isidentifier() and plain.isascii()) or name[0] == "." or name in ("rank", "step"):
        raise ValueError("not a name for an observation: %r" % (name,))
    _write([(name, value)], step)


def progress(step=None, **more):
    """Print how far the script has come: the step, and more such as ``epoch=2``; each is named ``progress.<name>``."""
    _write([("progress." + name, value) for name, value in [("step", step)] + sorted(more.items())], step)
