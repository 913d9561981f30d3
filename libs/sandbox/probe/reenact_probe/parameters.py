"""Hashes of what each optimiser of torch updates, on every rank, in trials that ask for them.

Taken after the first, second, fourth, eighth … update and at the end, so that ranks can be set side by side and long
trainings are hardly slowed. Every optimiser calls an empty method after its update, which is there for profilers.
"""

import atexit
from _weakref import ref

from reenact_probe import exits, recorder
from reenact_probe.digests import sha256_hex
from reenact_probe.guard import disguise, guarded
from reenact_probe.imports import after_import
from reenact_probe.modules_of_torch import ModuleNames
from reenact_probe.tensors import TensorReader

_MOST_PARAMETERS = 512
_MOST_OPTIMISERS = 64
_LONGEST_NAME = 200
_DIGITS = 16


class _Watch:
    def __init__(self, torch):
        self._torch = torch
        self._reader = TensorReader(torch)
        self._names = ModuleNames(torch)
        #: id → [number, weak reference, updates, updates at the last record]
        self._optimisers = {}

    def begin(self, optimizer_module):
        hooks = self._torch.nn.modules.module
        learn = guarded(lambda module, _inputs, _output: self._names.learn(module))
        hooks.register_module_forward_hook(learn)
        kind = optimizer_module.Optimizer
        original = kind._optimizer_step_code
        count = guarded(self._count)

        def _optimizer_step_code(optimizer):
            count(optimizer)
            return original(optimizer)

        kind._optimizer_step_code = disguise(_optimizer_step_code, original)
        atexit.register(guarded(self._record_all))
        exits.before_end(self._record_all)

    def _count(self, optimizer):
        known = self._optimisers.get(id(optimizer))
        if known is None or known[1]() is not optimizer:
            if len(self._optimisers) >= _MOST_OPTIMISERS:
                return
            known = [len(self._optimisers), ref(optimizer), 0, 0]
            self._optimisers[id(optimizer)] = known
        known[2] += 1
        if known[2] & (known[2] - 1) == 0:
            self._record(optimizer, known)

    def _record_all(self):
        for known in list(self._optimisers.values()):
            optimizer = known[1]()
            if optimizer is not None and known[2] > known[3]:
                self._record(optimizer, known)

    def _record(self, optimizer, known):
        known[3] = known[2]
        tensors = [tensor for group in optimizer.param_groups for tensor in group["params"]]
        entries = []
        for position, tensor in enumerate(tensors[:_MOST_PARAMETERS]):
            name = self._names.of_parameter(tensor) or "parameter %d" % position
            entries.append({"name": name[:_LONGEST_NAME], "sha256": self._digest(tensor)})
        kind = type(optimizer).__name__[:_LONGEST_NAME]
        recorder.write(
            "parameters",
            {"optimizer": known[0], "class": kind, "update": known[2], "count": len(tensors), "entries": entries},
        )

    def _digest(self, tensor):
        """First digits of the hash over the bytes; empty for shards and other tensors that are no plain ones."""
        if not self._reader.is_plain(tensor):
            return ""
        return sha256_hex(self._reader.bytes_of(tensor))[:_DIGITS]


def _begin(torch):
    watch = _Watch(torch)
    after_import("torch.optim.optimizer", watch.begin)


def install():
    """Watch the optimisers of torch from when the program loads it (those of torch 1.13 and newer tell of their updates)."""
    after_import("torch", _begin)
