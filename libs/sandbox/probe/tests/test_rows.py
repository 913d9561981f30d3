"""The order of rows of a real loader of torch. Defined only where the interpreter has torch."""

import importlib.util
import unittest

from tests.harness import Trial

LOADERS = """
import torch
from torch.utils.data import DataLoader, IterableDataset

class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(3))

if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(torch.arange(10), batch_size=4, shuffle=True)
    for epoch in range(2):
        print([batch.tolist() for batch in loader])
    print([int(row) for row in DataLoader(torch.arange(3), batch_size=None)])
    print([row.tolist() for row in DataLoader(Stream(), batch_size=2)])
    workers = DataLoader(torch.arange(6), batch_size=2, num_workers=1, persistent_workers=True)
    print([[batch.tolist() for batch in workers] for _ in range(2)])
"""
FAILS = """
import torch
from torch.utils.data import DataLoader

def rows():
    yield 0
    raise ValueError("no more rows")

list(DataLoader(torch.arange(3), sampler=rows(), batch_size=None))
"""

if importlib.util.find_spec("torch") is not None:

    class Rows(unittest.TestCase):
        maxDiff = None

        def run_script(self, text, **more):
            with Trial() as trial:
                outcome = trial.run_script(text, **more)
                outcome.stderr = outcome.stderr.replace(trial.root.encode(), b"")
                return outcome

        def test_order_of_every_pass(self):
            plain = self.run_script(LOADERS, probe=False)
            outcome = self.run_script(LOADERS, REENACT_PROBE_PARTS="rows")
            self.assertEqual((outcome.stdout, outcome.stderr, outcome.code), (plain.stdout, plain.stderr, 0))
            printed = [eval(line) for line in outcome.stdout.decode().splitlines()]
            last = {(record["loader"], record["epoch"]): record for record in outcome.of("rows")}
            self.assertEqual(last[0, 0]["first"], sum(printed[0], []))
            self.assertEqual(last[0, 1]["first"], sum(printed[1], []))
            self.assertEqual(last[0, 1]["count"], 10)
            self.assertNotEqual(last[0, 0]["sha256"], last[0, 1]["sha256"])
            self.assertEqual(last[1, 0]["first"], [0, 1, 2])
            workers = max(number for number, _ in last)
            self.assertEqual([last[workers, epoch]["first"] for epoch in (0, 1)], [list(range(6))] * 2)

        def test_a_failing_sampler_has_no_frame_of_ours(self):
            plain = self.run_script(FAILS, probe=False)
            watched = self.run_script(FAILS, REENACT_PROBE_PARTS="rows")
            self.assertEqual((watched.code, watched.stderr), (plain.code, plain.stderr))
            self.assertIn(b"no more rows", watched.stderr)


if __name__ == "__main__":
    unittest.main()
