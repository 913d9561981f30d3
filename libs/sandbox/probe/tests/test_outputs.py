"""Hashes and norms of module outputs, with a real torch. Defined only where the interpreter has torch."""

import importlib.util
import unittest

from tests.harness import Trial

SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))
net[0].weight.data.fill_(1.0); net[0].bias.data.zero_()
for _ in range(2):
    out = net(torch.ones(4, 2))
out.sum().backward()
print(out.sum().item(), torch.rand(1).item(), net[0].weight.grad.sum().item())
"""

if importlib.util.find_spec("torch") is not None:

    class Outputs(unittest.TestCase):
        def run_script(self, **more):
            with Trial() as trial:
                return trial.run_script(SCRIPT, **more)

        def test_calls_in_order(self):
            plain = self.run_script(probe=False)
            outcome = self.run_script(REENACT_PROBE_PARTS="outputs")
            self.assertEqual((outcome.stdout, outcome.stderr, outcome.code), (plain.stdout, plain.stderr, 0))
            records = outcome.of("activation")
            seen = [(record["module"], record["call"]) for record in records]
            once = ["0", "1.0", "1.1", "1", ""]
            self.assertEqual(seen, [(name, call) for call in (1, 2) for name in once])
            self.assertEqual((records[0]["shape"], records[0]["dtype"]), ([4, 3], "torch.float32"))
            self.assertAlmostEqual(records[0]["norm"], 48**0.5)
            self.assertEqual(records[0]["sha256"], records[5]["sha256"])
            self.assertTrue(records[0]["class"].endswith("Linear"))


if __name__ == "__main__":
    unittest.main()
