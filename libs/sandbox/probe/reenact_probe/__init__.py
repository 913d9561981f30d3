"""The probe: records what happens inside the interpreters of a trial, without changing what happens.

Standard library only, Python 3.7 and newer. It imports next to nothing: a module that the probe loaded would hide a
missing import of the program under test. What it writes is a claim; the supervisor and the verdict treat it so.
"""

import os

_STATE = {"started": False}


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
    parts = []
    if os.environ.get("REENACT_COVERAGE") == "1":
        from reenact_probe import coverage

        parts.append(coverage)
    asked = os.environ.get("REENACT_PROBE_PARTS", "").split(",")
    if "numeric" in asked:
        from reenact_probe import numeric

        parts.append(numeric)
    if "outputs" in asked:
        from reenact_probe import outputs

        parts.append(outputs)
    if "locals" in asked:
        from reenact_probe import local_values

        parts.append(local_values)
    if "allocator" in asked:
        from reenact_probe import allocator

        parts.append(allocator)
    return parts + _parts_over_ranks(asked)


def _parts_over_ranks(asked):
    """Parts that record what ranks have to agree on."""
    parts = []
    if "collectives" in asked:
        from reenact_probe import collectives

        parts.append(collectives)
    if "parameters" in asked:
        from reenact_probe import parameters

        parts.append(parameters)
    if "rows" in asked:
        from reenact_probe import rows

        parts.append(rows)
    return parts


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
