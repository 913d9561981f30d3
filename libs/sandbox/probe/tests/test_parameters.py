"""Hashes of parameters on each rank, with a real torch and gloo. Defined only where the interpreter has torch."""

import importlib.util
import unittest

from tests.harness import Trial

TRAIN = """
import torch
from torch import nn

def train(rank, updates, step=0.1):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    optimizer = torch.optim.SGD([{"params": net[0].parameters()}, {"params": net[1].bias}], lr=0.1)
    for _ in range(updates):
        optimizer.zero_grad()
        net(torch.ones(4, 2)).sum().backward()
        optimizer.step()
    with torch.no_grad():
        net[1].bias += rank
    return net, optimizer
"""
ALONE = """
import model
net, optimizer = model.train(0, 5)
print(net[1].bias.item(), type(optimizer).step.__name__)
"""
RANKS = """
import os, multiprocessing
import torch.distributed as dist
import model

def run(rank, address):
    dist.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    global kept
    kept = model.train(rank, 3)
    dist.destroy_process_group()

if __name__ == "__main__":
    address = "file://" + os.path.abspath("rendezvous")
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=run, args=(rank, address)) for rank in range(2)]
    [child.start() for child in children]
    [child.join() for child in children]
    print([child.exitcode for child in children])
"""

if importlib.util.find_spec("torch") is not None:

    class Parameters(unittest.TestCase):
        def run_script(self, text, **more):
            with Trial() as trial:
                trial.write("subject/model.py", TRAIN)
                return trial.run_script(text, **more)

        def test_updates_names_and_neutrality(self):
            outcome = self.run_script(ALONE, REENACT_PROBE_PARTS="parameters")
            plain = self.run_script(ALONE, probe=False)
            self.assertEqual((outcome.stdout, outcome.stderr, outcome.code), (plain.stdout, plain.stderr, 0))
            records = outcome.of("parameters")
            self.assertEqual([record["update"] for record in records], [1, 2, 4, 5])
            names = [entry["name"] for entry in records[0]["entries"]]
            self.assertEqual(names, ["0.weight", "0.bias", "1.bias"])
            self.assertEqual((records[0]["class"], records[0]["optimizer"], records[0]["count"]), ("SGD", 0, 3))
            hashes = [[entry["sha256"] for entry in record["entries"]] for record in records]
            self.assertTrue(all(len(digest) == 16 for row in hashes for digest in row))
            self.assertNotEqual(hashes[0], hashes[1])

        def test_ranks(self):
            outcome = self.run_script(RANKS, REENACT_PROBE_PARTS="parameters")
            self.assertEqual(outcome.stdout, b"[0, 0]\n", outcome.stderr)
            first, second = [outcome.of("parameters", rank=rank) for rank in (0, 1)]
            self.assertEqual([record["update"] for record in first], [1, 2, 3])
            same = [left["entries"] == right["entries"] for left, right in zip(first, second)]
            self.assertEqual(same, [True, True, False])
            odd = [a["name"] for a, b in zip(first[2]["entries"], second[2]["entries"]) if a != b]
            self.assertEqual(odd, ["1.bias"])

        def test_ordinary_trials_do_not_look(self):
            self.assertEqual(self.run_script(ALONE).of("parameters"), [])


if __name__ == "__main__":
    unittest.main()
