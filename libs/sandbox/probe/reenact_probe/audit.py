"""One audit hook for all parts of the probe (Python 3.8 and newer). It sees what a program cannot route around."""

import sys

from reenact_probe.guard import guarded

_HANDLERS = {}


def on(event, handler):
    """Call `handler(*arguments)` whenever the interpreter raises the audit event; errors of the handler are dropped."""
    _HANDLERS[event] = guarded(handler)


def _hook(event, arguments):
    handler = _HANDLERS.get(event)
    if handler is not None:
        handler(*arguments)


def install():
    """Add the hook; it cannot be taken out again."""
    if _HANDLERS and hasattr(sys, "addaudithook"):
        sys.addaudithook(_hook)
