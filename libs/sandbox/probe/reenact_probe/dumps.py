"""Stack dumps on request: faulthandler answers a real-time signal, also while the interpreter is blocked in C."""

import os
import sys

from reenact_probe import recorder

_STATE = {"own": False}


def register():
    """Register the dump signal with a file of this process and say so; fatal signals dump to a second file."""
    import _signal

    signal_number = getattr(_signal, "SIGRTMAX", None)
    if signal_number is None:
        return
    # Counted down from the end: programs and libraries that use real-time signals take the first ones.
    signal_number -= 7
    wanted_by_user = "faulthandler" in sys.modules
    import faulthandler

    descriptor, path = recorder.open_named(".dump")
    faulthandler.register(signal_number, descriptor, all_threads=True, chain=False)
    message = {"signal": int(signal_number), "file": os.path.basename(path)}
    if _STATE["own"] or not faulthandler.is_enabled():
        if not (_STATE["own"] and wanted_by_user):
            fatal, fatal_path = recorder.open_named(".fatal")
            faulthandler.enable(fatal, all_threads=True)
            _STATE["own"] = True
            message["fatalFile"] = os.path.basename(fatal_path)
    if not wanted_by_user:
        # Whether the name is there tells after a fork whether the program took faulthandler into its own hands.
        del sys.modules["faulthandler"]
    recorder.notice("dump-ready", recorder.encode(message))
