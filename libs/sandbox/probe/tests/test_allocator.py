"""The series of the CUDA allocator, with a module in the place of torch: machines without a device can run it too."""

import unittest

from tests.harness import Trial

TORCH = """
class cuda:
    used = 0
    peak = 0
    ready = False
    def grow(count):
        cuda.used += count
        cuda.peak = max(cuda.peak, cuda.used)
        cuda.ready = True
    def is_initialized():
        return cuda.ready
    def device_count():
        return 2
    def memory_allocated(device):
        return cuda.used if device == 0 else 0
    def memory_reserved(device):
        return 1024
    def max_memory_allocated(device):
        return cuda.peak if device == 0 else 0

class nn:
    class modules:
        class module:
            hooks = []
            def register_module_forward_hook(hook):
                nn.modules.module.hooks.append(hook)
"""
SCRIPT = """
import time, torch
def run():
    for hook in torch.nn.modules.module.hooks:
        assert hook(None, (), None) is None
run()
torch.cuda.grow(100)
time.sleep(0.3)
run(); run(); run()
torch.cuda.grow(300)
try:
    raise MemoryError("CUDA out of memory")
finally:
    torch.cuda.grow(-350)
"""


class Allocator(unittest.TestCase):
    def run_script(self, **more):
        with Trial() as trial:
            trial.write("subject/torch/__init__.py", TORCH)
            return trial.run_script(SCRIPT, **more)

    def test_series(self):
        found = self.run_script(REENACT_PROBE_PARTS="allocator").of("allocator")
        self.assertEqual({record["device"] for record in found}, {0})
        series = [(record["allocatedBytes"], record["peakBytes"]) for record in found]
        # Once in time, once after the exception, once at the end.
        self.assertEqual(series, [(100, 100), (50, 400), (50, 400)])
        self.assertEqual(found[0]["reservedBytes"], 1024)

    def test_ordinary_trials_do_not_look(self):
        self.assertEqual(self.run_script().of("allocator"), [])


if __name__ == "__main__":
    unittest.main()
