"""Memory of torch's CUDA allocator over time, in trials that ask for it and where the program itself uses CUDA.

Read when a module has run, at most four times a second, after every exception, and at the end; nothing waits for the device.
"""

import atexit
from time import monotonic

from reenact_probe import exceptions, exits, recorder
from reenact_probe.guard import guarded
from reenact_probe.imports import after_import

_SECONDS = 0.25
_MOST_DEVICES = 16
#: From here on only every second look is kept, then every fourth …: a long series stays a series.
_MOST_LOOKS = 500


class _Watch:
    """The allocator's functions, kept from before the program could replace them."""

    def __init__(self, torch):
        cuda = torch.cuda
        self._is_initialized = cuda.is_initialized
        self._count = cuda.device_count
        self._functions = (cuda.memory_allocated, cuda.memory_reserved, cuda.max_memory_allocated)
        self._next = 0.0
        self._every = _SECONDS
        self._looks = 0

    def look_in_time(self):
        now = monotonic()
        if now < self._next:
            return
        self._next = now + self._every
        self._looks += 1
        if self._looks % _MOST_LOOKS == 0:
            self._every *= 2
        self.look()

    def look(self):
        if not self._is_initialized():
            return
        for device in range(min(self._count(), _MOST_DEVICES)):
            allocated, reserved, peak = [int(function(device)) for function in self._functions]
            if peak:
                about = {"device": device, "allocatedBytes": allocated, "reservedBytes": reserved, "peakBytes": peak}
                recorder.write("allocator", about)


def _begin(torch):
    watch = _Watch(torch)
    look_in_time = guarded(lambda _module, _inputs, _output: watch.look_in_time())
    torch.nn.modules.module.register_module_forward_hook(look_in_time)
    exceptions.after_record(lambda _error, _traceback: watch.look())
    atexit.register(guarded(watch.look))
    exits.before_end(watch.look)


def install():
    """Watch the allocator from when the program loads torch."""
    after_import("torch", _begin)
