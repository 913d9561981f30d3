"""The rank of this process, where it can be known without loading anything."""

import os
import sys

_KNOWN = [None]


def rank():
    """RANK, else LOCAL_RANK, else what torch.distributed or torch's spawn says; None where none of them knows."""
    for name in ("RANK", "LOCAL_RANK"):
        text = os.environ.get(name)
        if text is not None and text.isdigit():
            return int(text)
    if "torch.distributed" in sys.modules:
        found = _of_process_group()
        # A process keeps its number after its group is gone.
        _KNOWN[0] = _KNOWN[0] if found is None else found
    return _KNOWN[0]


def _of_process_group():
    try:
        distributed = sys.modules["torch.distributed"]
        if distributed.is_available() and distributed.is_initialized():
            return int(distributed.get_rank())
    except Exception:
        pass  # Half-imported, or a group that is being torn down.
    try:
        process = sys.modules["multiprocessing.process"].current_process()
        # torch.multiprocessing.spawn starts `_wrap(function, index, arguments, error_file)`.
        if getattr(process._target, "__module__", "") == "torch.multiprocessing.spawn":
            return int(process._args[1])
    except Exception:
        pass
    return None
