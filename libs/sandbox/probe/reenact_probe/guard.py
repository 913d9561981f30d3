"""Keeps the probe out of the program's way: no error leaves it, and it never records its own doings."""

from _thread import get_ident

_BUSY = set()


def guarded(function):
    """Wrap a recording function: silent on errors, and idle while this thread is inside the probe already."""

    def run(*arguments):
        ident = get_ident()
        if ident in _BUSY:
            return None
        _BUSY.add(ident)
        try:
            return function(*arguments)
        except Exception:
            return None
        finally:
            _BUSY.discard(ident)

    return run


def forget_other_threads():
    """After a fork only the forking thread lives on; the numbers of the others may be given out again."""
    _BUSY.intersection_update((get_ident(),))


def disguise(wrapper, original):
    """Give a wrapper the name and text of what it stands for."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        try:
            setattr(wrapper, name, getattr(original, name))
        except (AttributeError, TypeError):
            pass
    wrapper.__wrapped__ = original
    return wrapper
