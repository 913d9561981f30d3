"""With torch: ranks and exceptions of its launchers. Defined only where the interpreter has torch."""

import importlib.util
import unittest

from tests.harness import Trial

SPAWNED = """
import model
import torch.multiprocessing as mp

def work(rank, size):
    if rank == 1:
        model.fail()

if __name__ == "__main__":
    mp.spawn(work, args=(2,), nprocs=2)
"""
GROUPED = """
import os, sys, multiprocessing
import torch.distributed as dist
import model

def work(rank, address):
    dist.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    dist.barrier()
    model.fail()

if __name__ == "__main__":
    address = "file://" + os.path.abspath("rendezvous")
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=work, args=(rank, address)) for rank in range(2)]
    [child.start() for child in children]
    [child.join() for child in children]
"""
LOADER = """
import model
from torch.utils.data import DataLoader, Dataset

class Rows(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return model.fail()

if __name__ == "__main__":
    list(DataLoader(Rows(), num_workers=1))
"""

if importlib.util.find_spec("torch") is not None:

    class WithTorch(unittest.TestCase):
        def run_script(self, text):
            with Trial() as trial:
                trial.write("subject/model.py", "def fail():\n    raise ValueError('in rank')\n")
                return trial.run_script(text)

        def test_spawn(self):
            outcome = self.run_script(SPAWNED)
            (record,) = outcome.of("exception", type="builtins.ValueError")
            self.assertEqual((record["how"], record["raisedIn"], record["rank"]), ("child", "subject", 1))
            self.assertEqual(len(outcome.of("exception", how="uncaught")), 1)

        def test_process_group(self):
            found = self.run_script(GROUPED).of("exception", type="builtins.ValueError")
            self.assertEqual(sorted(record["rank"] for record in found), [0, 1])

        def test_loader_worker(self):
            found = self.run_script(LOADER).of("exception", type="builtins.ValueError")
            self.assertEqual({record["how"] for record in found}, {"reported", "uncaught"})
            self.assertEqual(found[0]["frames"][-1]["file"], "model.py")


if __name__ == "__main__":
    unittest.main()
