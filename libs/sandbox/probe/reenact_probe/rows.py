"""Which rows each loader of torch asks for, in their order, on every rank, in trials that ask for them.

The module's own `iter` is shadowed, and the sampler's indices pass through a `map`: it adds no frame to a traceback.
"""

import atexit
import sys
from _weakref import ref

from reenact_probe import exits, recorder
from reenact_probe.digests import sha256_hex
from reenact_probe.guard import guarded
from reenact_probe.imports import after_import

_MOST_ROWS = 1024
_MOST_LOADERS = 16
_MOST_EPOCHS = 64
_DIGITS = 16


class _Epoch:
    """One pass of a loader: the first rows, and a hash over the text of all of them."""

    def __init__(self, loader, epoch):
        self._about = {"loader": loader, "epoch": epoch}
        self._first = []
        self._count = 0
        self._written = 0
        self._digest = ""
        self._batches = 0

    def add(self, index):
        rows = index if type(index) in (list, tuple) else [index]
        if not all(type(row) is int for row in rows):
            return
        self._count += len(rows)
        self._first.extend(rows[: _MOST_ROWS - len(self._first)])
        self._digest = sha256_hex((self._digest + repr(rows)).encode("ascii"))
        self._batches += 1
        if self._batches & (self._batches - 1) == 0:
            self.write()

    def has_rows(self):
        return self._count > 0

    def write(self):
        if self._count > self._written:
            self._written = self._count
            about = dict(self._about, count=self._count, first=list(self._first), sha256=self._digest[:_DIGITS])
            recorder.write("rows", about)


class _Watch:
    def __init__(self):
        #: id of the sampler → [weak reference to it; number; passes; the pass that goes on]
        self._loaders = {}
        self._number = 0

    def begin(self, sampler):
        """The pass that begins over this sampler; None where there are too many."""
        known = self._loaders.get(id(sampler))
        if known is not None and known[0]() is not sampler:
            self._write(known)
            known = None
        if known is None:
            if self._number >= _MOST_LOADERS:
                return None
            known = self._loaders[id(sampler)] = [ref(sampler), self._number, 0, None]
            self._number += 1
        # Some loaders begin twice before they ask for a row.
        if known[3] is None or known[3].has_rows():
            self._write(known)
            known[3] = _Epoch(known[1], known[2]) if known[2] < _MOST_EPOCHS else None
            known[2] += 1
        return known[3]

    def _write(self, known):
        if known[3] is not None:
            known[3].write()

    def write_all(self):
        for known in list(self._loaders.values()):
            self._write(known)


def _begin(module):
    watch = _Watch()
    begin = guarded(watch.begin)

    def iterate(value, *more):
        found = iter(value, *more)
        owner = sys._getframe(1).f_locals.get("self")
        if more or owner is None or getattr(owner, "_index_sampler", None) is not value:
            return found
        epoch = begin(value)
        if epoch is None:
            return found
        add = guarded(epoch.add)

        def note(index):
            add(index)
            return index

        return map(note, found)

    module.iter = iterate
    atexit.register(guarded(watch.write_all))
    exits.before_end(watch.write_all)


def install():
    """Watch the loaders of torch from when the program loads them."""
    after_import("torch.utils.data.dataloader", _begin)
