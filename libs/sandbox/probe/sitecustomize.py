"""Loads the probe in every interpreter of a trial, then gives way to the environment's own ``sitecustomize``.

Old interpreters (2.7, 3.6) that a trial may start have to be able to parse this file; they run without the probe.
"""

import os
import sys


def _start_probe():
    """Start the probe where a trial asks for it; a broken probe must never break the program."""
    if sys.version_info < (3, 7) or not os.environ.get("REENACT_PROBE_DIR"):
        return
    try:
        import reenact_probe

        reenact_probe.start()
    except Exception:
        pass


def _give_way():
    """Run the ``sitecustomize`` that the environment itself has, or answer as if there were none at all."""
    own = os.path.dirname(os.path.abspath(__file__))
    spec = None
    if sys.version_info >= (3, 4):
        import _frozen_importlib
        import _frozen_importlib_external

        others = [entry for entry in sys.path if os.path.abspath(entry or ".") != own]
        spec = _frozen_importlib_external.PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        # `site` takes this very error, with this name, for "there is no sitecustomize" and stays silent.
        kind = ImportError if sys.version_info < (3, 6) else ModuleNotFoundError
        error = kind("No module named 'sitecustomize'")
        error.name = "sitecustomize"
        raise error
    module = _frozen_importlib.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_start_probe()
_give_way()
