"""The probe: records what happens inside the interpreters of a trial, without changing what happens.

Standard library only, Python 3.7 and newer. It imports next to nothing: a module that the probe loaded would hide a
missing import of the program under test. What it writes is a claim; the supervisor and the verdict treat it so.
"""

import os

_STATE = {"started": False}
# Names that a trial asks for, and the modules behind them; the last three record what ranks have to agree on.
_PARTS = (
    ("numeric", "numeric"),
    ("outputs", "outputs"),
    ("locals", "local_values"),
    ("allocator", "allocator"),
    ("collectives", "collectives"),
    ("parameters", "parameters"),
    ("rows", "rows"),
)


def start():
    """Start recording in this interpreter, once; without a writable REENACT_PROBE_DIR nothing at all is installed."""
    if _STATE["started"]:
        return
    _STATE["started"] = True
    from reenact_probe import recorder

    if not recorder.open_file():
        return
    from reenact_probe import audit, dumps, exceptions, exits, imports, inside, loaded, notices, test_runners, warned
    from reenact_probe.guard import guarded

    parts = [exceptions, test_runners, warned, loaded, notices, inside, exits]
    parts.extend(_asked_parts())
    # One part that this interpreter cannot carry must not cost the others.
    for step in [recorder.write_process, dumps.register] + [part.install for part in parts + [imports, audit]]:
        guarded(step)()
    os.register_at_fork(after_in_child=_after_fork)


def _asked_parts():
    """Parts that cost time: only where the trial asks for them by name."""
    asked = os.environ.get("REENACT_PROBE_PARTS", "").split(",")
    names = ["coverage"] if os.environ.get("REENACT_COVERAGE") == "1" else []
    names.extend(module for part, module in _PARTS if part in asked)
    # A submodule by name, without importlib, which the program may not have loaded itself.
    return [__import__("reenact_probe." + name, fromlist=["install"]) for name in names]


def _after_fork():
    """Give a forked child a file and a dump handler of its own."""
    try:
        from reenact_probe import dumps, exits, guard, recorder

        guard.forget_other_threads()
        exits.forget()
        if recorder.open_file():
            guard.guarded(recorder.write_process)()
            guard.guarded(dumps.register)()
    except Exception:
        pass
