"""Where the first NaN comes from, with a real torch. Defined only where the interpreter has torch."""

import importlib.util
import unittest

from tests.harness import Trial

MODEL = """
import torch
from torch import nn

class Root(nn.Module):
    def forward(self, x):
        return torch.sqrt(x)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True))
        self.root = Root()

    def forward(self, x, shift=0.0):
        return self.root(self.encoder(x) + shift)
"""
FORWARD = """
import torch
from model import Net
torch.manual_seed(0)
net = Net()
for shift in (1.0, 1.0, -100.0, -100.0):
    net(torch.ones(2, 3), shift)
print(torch.rand(1).item())
"""
BACKWARD = """
import torch
from model import Net
torch.manual_seed(0)
net = Net()
with torch.no_grad():
    net.encoder[0].weight.zero_(); net.encoder[0].bias.zero_()
net(torch.ones(2, 3)).sum().backward()
print(net.encoder[0].weight.grad.sum().item())
"""

if importlib.util.find_spec("torch") is not None:

    class Numeric(unittest.TestCase):
        def run_script(self, text, **more):
            with Trial() as trial:
                trial.write("subject/model.py", MODEL)
                return trial.run_script(text, **more)

        def test_forward(self):
            outcome = self.run_script(FORWARD, REENACT_PROBE_PARTS="numeric")
            (record,) = outcome.of("numeric")
            self.assertEqual((record["module"], record["class"], record["place"]), ("root", "model.Root", "subject"))
            self.assertEqual((record["direction"], record["what"], record["call"]), ("forward", "nan", 3))
            self.assertEqual((record["shape"], record["dtype"]), ([2, 3], "torch.float32"))
            self.assertIs(record["inputsFinite"], True)

        def test_backward(self):
            outcome = self.run_script(BACKWARD, REENACT_PROBE_PARTS="numeric")
            found = outcome.of("numeric", direction="backward")
            self.assertTrue(found, outcome.stderr)
            self.assertEqual(outcome.of("numeric", direction="forward"), [])
            self.assertTrue(found[0]["module"].startswith("encoder"), found)

        def test_ordinary_trials_do_not_look(self):
            self.assertEqual(self.run_script(FORWARD).of("numeric"), [])

        def test_results_stay(self):
            for text in (FORWARD, BACKWARD):
                plain = self.run_script(text, probe=False)
                self.assertEqual(plain.code, 0, plain.stderr)
                watched = self.run_script(text, REENACT_PROBE_PARTS="numeric")
                self.assertEqual((watched.code, watched.stdout, watched.stderr), (plain.code, plain.stdout, plain.stderr))


if __name__ == "__main__":
    unittest.main()
