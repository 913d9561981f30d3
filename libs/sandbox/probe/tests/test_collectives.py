"""The order of collectives on each rank, with a real torch and gloo. Defined only where the interpreter has torch."""

import importlib.util
import unittest

from tests.harness import Trial

SYNC = """
import torch.distributed as dist

def average(value):
    dist.all_reduce(value)
    return value / dist.get_world_size()
"""
HEAD = """
import os, sys, multiprocessing
import torch
import torch.distributed as dist
import sync

def start(work, size):
    address = "file://" + os.path.abspath("rendezvous")
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=run, args=(work, rank, size, address)) for rank in range(size)]
    [child.start() for child in children]
    [child.join() for child in children]
    print([child.exitcode for child in children])

def run(work, rank, size, address):
    dist.init_process_group("gloo", init_method=address, rank=rank, world_size=size)
    work(rank)

"""
SAME = HEAD + """
def work(rank):
    sync.average(torch.ones(2, 3) * rank)
    dist.barrier()
    group = dist.new_group([0, 1])
    dist.broadcast(torch.zeros(4, dtype=torch.float64), src=0, group=group)
    found = [None, None]
    dist.all_gather_object(found, {"rank": rank})
    if rank == 0:
        dist.send(torch.ones(1), 1)
    else:
        dist.recv(torch.ones(1), 0)

if __name__ == "__main__":
    start(work, 2)
"""
FAILS = HEAD + """
def work(rank):
    sync.average([1, 2])

if __name__ == "__main__":
    start(work, 1)
"""
MANY = HEAD + """
def work(rank):
    for _ in range(5100):
        dist.all_reduce(torch.ones(1))

if __name__ == "__main__":
    start(work, 1)
"""

if importlib.util.find_spec("torch") is not None:

    class Collectives(unittest.TestCase):
        maxDiff = None

        def run_script(self, text, **more):
            with Trial() as trial:
                trial.write("subject/sync.py", SYNC)
                outcome = trial.run_script(text, **more)
                outcome.stderr = outcome.stderr.replace(trial.root.encode(), b"")
                return outcome

        def test_order(self):
            outcome = self.run_script(SAME, REENACT_PROBE_PARTS="collectives")
            self.assertEqual(outcome.stdout, b"[0, 0]\n", outcome.stderr)
            for rank in (0, 1):
                calls = outcome.of("collective", rank=rank)
                seen = [(call["op"], call["number"], call["group"] == "world", call.get("shape")) for call in calls]
                peer = ("send" if rank == 0 else "recv", 1, True, [1])
                # new_group has a barrier of its own in some versions.
                own = [call for call in seen if call[0] not in ("barrier", "monitored_barrier")]
                self.assertEqual(own[:2], [("all_reduce", 1, True, [2, 3]), ("broadcast", 1, False, [4])])
                self.assertEqual((own[2][0], own[2][2:]), ("all_gather_object", (True, None)))
                self.assertEqual(own[3:], [peer])
                first = calls[0]
                self.assertEqual((first["at"]["file"], first["at"]["function"], first["at"]["place"]), ("sync.py", "average", "subject"))
                self.assertEqual((first["size"], first["members"], first["reduction"]), (2, [0, 1], "SUM"))
                broadcast = next(call for call in calls if call["op"] == "broadcast")
                self.assertEqual((broadcast["root"], broadcast["dtype"]), (0, "torch.float64"))
                self.assertEqual(calls[-1]["peer"], 1 - rank)

        def test_failing_calls_have_no_frame_of_ours(self):
            plain = self.run_script(FAILS, probe=False)
            watched = self.run_script(FAILS, REENACT_PROBE_PARTS="collectives")
            self.assertEqual((watched.code, watched.stdout), (plain.code, plain.stdout))
            self.assertNotIn(b"reenact", watched.stderr)
            self.assertIn(b"Error", watched.stderr)

        def test_ordinary_trials_do_not_look(self):
            self.assertEqual(self.run_script(SAME).of("collective"), [])

        def test_number_of_records_is_bounded(self):
            outcome = self.run_script(MANY, REENACT_PROBE_PARTS="collectives")
            self.assertEqual(outcome.stdout, b"[0]\n", outcome.stderr)
            self.assertEqual(len(outcome.of("collective")), 5000)
            self.assertEqual(len(outcome.of("notice", code="collectives-cut")), 1)


if __name__ == "__main__":
    unittest.main()
