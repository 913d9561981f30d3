"""Runs a function after a standard-library module was loaded, wherever and whenever the program imports it."""

import sys

from reenact_probe.guard import guarded

_AFTER = {}


def after_import(name, function):
    """Call `function(module)` once the module of this name is loaded: now, or when it will be."""
    if name in sys.modules:
        function(sys.modules[name])
    else:
        _AFTER.setdefault(name, []).append(function)


class _Finder:
    """Finds nothing by itself: lets the other finders answer and prepares the loader they found."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _AFTER:
            return None
        for finder in sys.meta_path:
            spec = None if finder is _Finder else finder.find_spec(name, path, target)
            if spec is not None:
                _prepare(name, spec.loader)
                return spec
        return None


def _prepare(name, loader):
    """Shadow `exec_module` on this one loader object, for one call: type and identity of the loader stay."""
    if loader is None or isinstance(loader, type):
        return
    functions = _AFTER.pop(name)
    original = loader.exec_module

    def exec_module(module):
        del loader.exec_module
        original(module)
        for function in functions:
            guarded(function)(module)

    try:
        loader.exec_module = exec_module
    except AttributeError:
        pass


def install():
    """Begin to watch imports; in front, since nothing is answered here by ourselves."""
    if _AFTER:
        sys.meta_path.insert(0, _Finder)
